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
  // A selection that ends beside the dialog is a click there.
  let isPressedBeside = false;
  dialog.addEventListener("pointerdown", (event) => { isPressedBeside = isBeside(dialog, event); });
  dialog.addEventListener("click", (event) => { if (isPressedBeside && isBeside(dialog, event)) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Returns whether a pointer is on the page around a dialog. */
function isBeside(dialog, { target, clientX, clientY }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}
