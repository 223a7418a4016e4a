// Shows the post that a person writes as others will see it. The site makes the preview. app.js loads this file with
// the first press of "Preview". Without a script, the button shows the page of the form with the preview.

/** Puts the preview above the buttons of the form. The next change of the form removes it. */
export async function showPreview(button, say) {
  const { form } = button;
  const body = new URLSearchParams(new FormData(form));
  body.set(button.name, button.value);
  let shown = null;
  try {
    const response = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (page.body.dataset.login === document.body.dataset.login) shown = page.querySelector("[data-compose] .preview");
  } catch {
    say("The preview could not be loaded. Try again.");
    return;
  }
  if (!shown) {
    // The page says what is wrong.
    form.requestSubmit(button);
    return;
  }
  form.querySelector(".preview")?.remove();
  const preview = document.adoptNode(shown);
  form.querySelector(".compose-foot").before(preview);
  form.addEventListener("input", () => preview.remove(), { once: true });
  preview.scrollIntoView({ block: "nearest" });
  preview.focus({ preventScroll: true });
}
