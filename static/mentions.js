// Completes a name while a person writes "@": a list of people below the text. The text keeps the focus (listbox
// pattern of WAI-ARIA). app.js loads this file with the first "@". Writing works without it.

const PEOPLE = "/mentions/people";
/** Pause in typing before the site is asked. */
const WAIT_MS = 120;
/** Number of answers that the page keeps. */
const MAX_CACHED_ANSWERS = 50;
const LIST_ID = "people-to-mention";
const TYPED = /(?:^|[^\p{L}\p{N}_@/])@([\p{L}\p{N}_]{1,30})$/u;

const answers = new Map();
const list = document.createElement("ul");
list.id = LIST_ID;
list.className = "completions";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "People");

let field = null;
let timer = 0;
/** The text after "@" for which the user closed the list with Escape. */
let dismissed = null;
/** The text after "@" that the list belongs to. */
let listed = null;

/** Returns the text between "@" and the cursor. */
function typedName(of) {
  if (of.selectionStart !== of.selectionEnd) return null;
  return TYPED.exec(of.value.slice(0, of.selectionStart))?.[1] ?? null;
}

async function peopleNamed(beginning) {
  const key = beginning.toLowerCase();
  if (answers.has(key)) return answers.get(key);
  const response = await fetch(`${PEOPLE}?${new URLSearchParams({ q: key })}`, { headers: { accept: "application/json" } });
  if (!response.ok || response.headers.get("content-type") !== "application/json") return [];
  const people = await response.json();
  if (answers.size >= MAX_CACHED_ANSWERS) answers.clear();
  answers.set(key, people);
  return people;
}

const selected = () => list.querySelector("[aria-selected=true]");

function select(option) {
  selected()?.setAttribute("aria-selected", "false");
  option.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function optionOf({ login, name }, at) {
  const option = document.createElement("li");
  option.id = `${LIST_ID}-${at}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.dataset.login = login;
  const shownName = document.createElement("b");
  shownName.dir = "auto";
  shownName.textContent = name;
  option.append(shownName, ` @${login}`);
  return option;
}

function announce(words) {
  const announcement = field.form.querySelector("[data-announcement]");
  if (announcement) announcement.textContent = words;
}

function open(people) {
  list.replaceChildren(...people.map(optionOf));
  list.style.insetBlockStart = `${field.offsetTop + field.offsetHeight + 4}px`;
  field.after(list);
  const states = { "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-controls": LIST_ID };
  for (const [name, value] of Object.entries(states)) field.setAttribute(name, value);
  select(list.firstElementChild);
  announce(`${people.length} ${people.length === 1 ? "person" : "people"}. Arrow keys choose, Enter adds.`);
}

function close() {
  clearTimeout(timer);
  if (!list.isConnected) return;
  list.remove();
  for (const name of ["aria-autocomplete", "aria-haspopup", "aria-controls", "aria-activedescendant"]) field.removeAttribute(name);
  announce("");
}

/** Puts the login in the place of the typed text. */
function complete(option) {
  const of = field;
  const start = of.selectionStart - typedName(of).length;
  const end = of.selectionStart + /^[\p{L}\p{N}_]*/u.exec(of.value.slice(of.selectionStart))[0].length;
  const space = /^\s/.test(of.value.slice(end)) ? "" : " ";
  close();
  dismissed = option.dataset.login;
  of.setRangeText(option.dataset.login + space, start, end, "end");
  of.dispatchEvent(new Event("input", { bubbles: true }));
  of.focus();
}

/** Shows the people for the name before the cursor, or closes the list. */
export function update(of) {
  if (field !== of) {
    close();
    field = of;
  }
  const typed = typedName(of);
  clearTimeout(timer);
  if (!typed || typed === dismissed) {
    close();
    return;
  }
  dismissed = null;
  timer = setTimeout(async () => {
    const people = await peopleNamed(typed).catch(() => []);
    if (field !== of || typedName(of) !== typed || document.activeElement !== of) return;
    listed = typed;
    if (people.length > 0) open(people);
    else close();
  }, WAIT_MS);
}

list.addEventListener("pointerdown", (event) => event.preventDefault());
list.addEventListener("click", ({ target }) => {
  const option = target.closest("[role=option]");
  if (option) complete(option);
});

document.addEventListener("keydown", (event) => {
  if (!list.isConnected || event.target !== field || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const option = selected();
  if (event.key === "ArrowDown") select(option.nextElementSibling ?? list.firstElementChild);
  else if (event.key === "ArrowUp") select(option.previousElementSibling ?? list.lastElementChild);
  else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && typedName(field) === listed) complete(option);
  else if (event.key === "Escape") {
    dismissed = typedName(field);
    close();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("focusout", ({ target }) => { if (target === field) close(); });
document.addEventListener("selectionchange", () => { if (list.isConnected && typedName(field) === null) close(); });
