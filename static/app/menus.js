// A card opens its post. Links, buttons and selected text keep their meaning.

document.addEventListener("click", (event) => {
  const card = event.target.closest?.(".status");
  const link = card?.querySelector(".status-body > header .time");
  if (!link || !isPlain(event) || event.defaultPrevented || link.pathname === location.pathname) return;
  if (event.target.closest("a, button, .compose, input, label, summary, fieldset, .poll, .quoted")) return;
  // With an open menu, the click closes it.
  if (getSelection().isCollapsed && !document.querySelector(MENUS)) link.click();
});

// --- The menus of a post. Without a script, its button reposts at once, and its link opens the page of the menu.

/** Puts a menu in the place of a button or link, which gives it its icon, its words and its count. */
function makeMenu(part) {
  const menu = document.createElement("details");
  const summary = document.createElement("summary");
  const items = document.createElement("div");
  summary.append(...part.childNodes);
  menu.append(summary, items);
  part.replaceWith(menu);
  return { menu, items };
}

/** Offers to repost or to quote. Returns the menu. */
function makeRepostMenu(button) {
  const { menu, items } = makeMenu(button);
  const { quotes } = button.dataset;
  button.textContent = button.name === "unrepost" ? "Undo repost" : "Repost";
  button.removeAttribute("aria-haspopup");
  button.setAttribute("aria-pressed", button.name === "unrepost");
  items.append(button);
  if (quotes === "none") return menu;
  const quote = document.createElement("a");
  quote.className = "quote";
  quote.href = `/statuses/${button.value}/quote`;
  quote.textContent = "Quote";
  if (quotes) showCount(quote, quotes);
  items.append(quote);
  return menu;
}

/** Puts a menu in the place of its link. Its items are loaded when it opens. Returns the menu. */
function makeMoreMenu(link) {
  const { menu } = makeMenu(link);
  menu.className = "dots";
  menu.dataset.page = link.pathname;
  return menu;
}

/** Loads the items of a menu from its page. */
async function loadMenu(menu) {
  const { page: path } = menu.dataset;
  delete menu.dataset.page;
  const items = menu.querySelector("div");
  items.replaceChildren(loadingLine());
  try {
    const loaded = await loadPart(path, ".post-menu");
    loaded.querySelector(".quote")?.remove();
    items.replaceChildren(...loaded.children);
    showMenu(menu);
  } catch (error) {
    if (!sayNotLoaded(error)) {
      location.assign(path);
      return;
    }
    items.replaceChildren();
    menu.dataset.page = path;
    menu.open = false;
  }
}

// A menu is made when it is first opened. Most are never opened, and making all of them lays the page out again.
document.addEventListener("click", (event) => {
  const part = event.target.closest?.('.status footer > [name$="repost"], .status footer > a.dots');
  // The button reposts without a menu, so it is never left to the browser. The link opens its page in another tab.
  if (!part || (part.matches("a") && !isPlain(event))) return;
  event.preventDefault();
  const menu = part.matches("a") ? makeMoreMenu(part) : makeRepostMenu(part);
  menu.open = true;
  menu.querySelector("summary").focus();
});

/** Tells screen readers which buttons are not pressed, and which open menus. */
function describeButtons() {
  document.querySelectorAll('.status footer > button:not([aria-pressed], [name="repost"])').forEach((button) => button.setAttribute("aria-pressed", "false"));
  document.querySelectorAll('.status footer > [name$="repost"], .status footer > a.dots').forEach((part) => part.setAttribute("aria-haspopup", "true"));
  document.querySelectorAll(".status footer > a.dots").forEach((link) => link.setAttribute("role", "button"));
}

// A button is pressed by the space bar too.
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.(".status footer > a.dots")) return;
  event.preventDefault();
  event.target.click();
});

describeButtons();
document.addEventListener("statuseschange", describeButtons);

// --- Menus: one is open at a time. It closes after a click or a focus elsewhere, and on Escape.

const MENUS = ".menu[open], .profile-menu[open], .status footer details[open]";

/** Closes all menus but the one that contains this element. */
function closeMenus(except = null) {
  for (const menu of document.querySelectorAll(MENUS)) {
    if (menu.contains(except)) continue;
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.querySelector("summary").focus();
  }
}

/** Adds what needs a script, and shows the whole menu. */
function showMenu(menu) {
  const items = menu.querySelector("div");
  // The stylesheet lets a browser skip the buttons of cards far away, which cuts off what hangs out of them.
  menu.closest("footer")?.style.setProperty("content-visibility", "visible");
  if (menu.dataset.page) {
    loadMenu(menu);
    return;
  }
  if (menu.matches(".dots") && navigator.clipboard && !items.querySelector(".copy")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy link";
    copy.addEventListener("click", () => copyLink(menu.closest(".status")));
    items.prepend(copy);
  }
  items.scrollIntoView({ block: "nearest" });
}

async function copyLink(status) {
  closeMenus();
  try {
    await navigator.clipboard.writeText(status.querySelector(".status-body > header .time, blockquote a").href);
    say("Link copied.");
  } catch {
    say("This browser did not copy the link.");
  }
}

document.addEventListener("toggle", ({ target }) => { if (target.matches(MENUS)) showMenu(target); }, true);
// A menu may have replaced the pressed element. It has the focus then.
document.addEventListener("click", ({ target }) => closeMenus(target.isConnected ? target : document.activeElement));
document.addEventListener("focusin", ({ target }) => closeMenus(target));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) closeMenus();
});

// A link can lead into a closed part of the page, which can be in a closed menu.
function openTarget() {
  let part = document.querySelector(":target")?.closest("details");
  for (; part; part = part.parentNode.closest("details")) part.open = true;
}
openTarget();
window.addEventListener("hashchange", openTarget);

// The icons have their names as tooltips.
document.addEventListener("pointerover", ({ target }) => {
  const part = target.closest?.(".status footer > :is(a, button), .status footer summary, .extras > summary, button.extras");
  const nodes = part?.matches(".extras *, .extras") ? part.querySelector("span")?.childNodes : part?.childNodes;
  const words = [...(nodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE);
  if (words && !part.matches(".meta")) part.title = words.data.trim();
});
