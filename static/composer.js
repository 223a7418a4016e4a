// The form to post in a dialog above the page. app.js loads this file with the first press of "Compose" on a page without
// that form. Without a script, the link leads to the page of the form.

/** Shows the form. Its text stays as a draft when the dialog is closed. */
export function openComposer(form) {
  document.querySelector(".composer")?.remove();
  const title = document.createElement("h2");
  title.id = "composer-title";
  title.textContent = "New post";
  const close = document.createElement("button");
  close.type = "button";
  close.className = "small secondary";
  close.textContent = "Close";
  const head = document.createElement("div");
  head.className = "title-row";
  head.append(title, close);
  const dialog = document.createElement("dialog");
  dialog.className = "composer";
  dialog.setAttribute("aria-labelledby", title.id);
  form.classList.remove("sheet");
  dialog.append(head, form);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target }) => { if (target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
