// A link of the search tips adds its operator to the search box.

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-operator]");
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  const box = document.querySelector(".search [name=q]");
  const { operator } = link.dataset;
  box.value = `${box.value.trimEnd()} ${operator}`.trimStart();
  box.focus();
  const end = box.value.length - (operator === '""' ? 1 : 0);
  box.setSelectionRange(end, end);
});

// --- A password can be shown. It is hidden again before it is sent.

for (const field of document.querySelectorAll("input[type=password]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small secondary show-password";
  const name = document.createElement("span");
  name.className = "sr-only";
  name.textContent = ` ${field.labels[0].textContent.trim().toLowerCase()}`;
  button.append("Show", name);
  const show = (isShown) => {
    field.type = isShown ? "text" : "password";
    button.setAttribute("aria-pressed", isShown);
  };
  show(false);
  button.addEventListener("click", () => show(field.type === "password"));
  field.form.addEventListener("submit", () => show(false));
  field.after(button);
}
