// Keyboard shortcuts of members, and the sheet that lists them. They are off while the person types or
// holds a modifier, and can be switched off: speech input presses single keys by accident.

const SHORTCUTS = [
  ["j", "Next post"],
  ["k", "Previous post"],
  ["Enter", "Open the post"],
  ["r", "Reply"],
  ["f", "Favourite"],
  ["b", "Bookmark"],
  ["n", "New post"],
  ["Ctrl Enter", "Send what you write"],
  ["/", "Search"],
  ["g h", "Home"],
  ["?", "This list"],
];
const HOME = "/";
const SEARCH = "/search";
const OFF = "shortcuts-off";
const ITEMS = "main .status, .notifications > li";

/** Returns whether the shortcuts are on. The choice is stored in this browser. */
function areOn() {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

function turn(isOn) {
  try {
    if (isOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    // This browser stores nothing for sites.
  }
}

// --- The current post: the focused one, or the last one that a key chose

let chosen = null;

function currentItem() {
  const focused = document.activeElement?.closest(ITEMS);
  return focused ?? (chosen?.isConnected ? chosen : null);
}

/** Focuses the next or previous post. Without a current one, the first that is not above the window. */
function move(step) {
  const items = [...document.querySelectorAll(ITEMS)].filter((item) => item.checkVisibility?.() ?? true);
  const at = items.indexOf(currentItem());
  const bar = document.querySelector(".top").getBoundingClientRect().bottom;
  const item = at < 0 ? items.find((each) => each.getBoundingClientRect().bottom > bar) : items[at + step];
  if (!item) return;
  chosen = item;
  item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

/** Clicks a part of the current post, but not of a post inside it. */
function clickInItem(selector) {
  currentItem()?.querySelector(`:scope > .status-body > footer ${selector}`)?.click();
}

// --- What the keys do

function writePost() {
  document.querySelector(".compose-link").click();
}

function search() {
  const fields = [...document.querySelectorAll("main [type=search], [type=search]")];
  const field = fields.find((each) => each.checkVisibility?.({ visibilityProperty: true }));
  if (field) field.select();
  else location.assign(`${SEARCH}#q`);
}

/** Opens the focused post. Returns false if a link or a button is focused: Enter keeps its meaning there. */
function openItem() {
  const item = document.activeElement;
  if (!item?.matches(ITEMS)) return false;
  (item.querySelector(".status-body > header .time, blockquote a") ?? item.querySelector("p > a"))?.click();
  return true;
}

const actions = {
  "j": () => move(1),
  "k": () => move(-1),
  "Enter": openItem,
  "r": () => clickInItem(".reply"),
  "f": () => clickInItem('[name$="favourite"]'),
  "b": () => clickInItem('[name$="bookmark"]'),
  "n": writePost,
  "/": search,
  "g h": () => location.assign(HOME),
  "?": showSheet,
};

let isAfterG = false;

function isTyping({ target }) {
  return target.isContentEditable || target.matches?.("input, textarea, select");
}

document.addEventListener("keydown", (event) => {
  const hasModifier = event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
  const isOfSheet = document.querySelector("dialog[open]");
  if (event.defaultPrevented || hasModifier || isTyping(event) || isOfSheet || !areOn()) return;
  const name = isAfterG ? `g ${event.key}` : event.key;
  isAfterG = event.key === "g" && !isAfterG;
  const action = Object.hasOwn(actions, name) ? actions[name] : null;
  if (!action || (event.repeat && action !== actions.j && action !== actions.k)) return;
  if (action() !== false) event.preventDefault();
});

// --- The sheet. It is not in the page until it is needed.

let sheet = null;

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

function makeSheet() {
  const title = element("h2", "Keyboard shortcuts");
  title.id = "shortcuts-title";
  const list = element("dl");
  for (const [keys, words] of SHORTCUTS) {
    const term = element("dt");
    keys.split(" ").forEach((key) => term.append(element("kbd", key), " "));
    list.append(element("div", term, element("dd", words)));
  }
  const toggle = element("input");
  toggle.type = "checkbox";
  toggle.id = "shortcuts-on";
  toggle.addEventListener("change", () => turn(toggle.checked));
  const label = element("label", "Use these shortcuts");
  label.htmlFor = toggle.id;
  const check = element("div", toggle, label);
  check.className = "check";
  const close = element("button", "Close");
  close.autofocus = true;
  const form = element("form", title, list, check, close);
  form.method = "dialog";
  const made = element("dialog", form);
  made.className = "shortcuts";
  made.setAttribute("aria-labelledby", title.id);
  made.addEventListener("click", (event) => { if (event.target === made) made.close(); });
  document.body.append(made);
  return made;
}

function showSheet() {
  sheet ??= makeSheet();
  sheet.querySelector("input").checked = areOn();
  sheet.showModal();
}

// The menu is the way back if the shortcuts are off.
const menu = document.querySelector(".menu > div");
if (menu && "HTMLDialogElement" in window) {
  const button = element("button", "Keyboard shortcuts");
  button.type = "button";
  button.className = "secondary";
  button.addEventListener("click", showSheet);
  menu.querySelector(".log-out").before(button);
}
