// Updates an open, visible page: new posts on home, the member's own counts, unread notifications. New
// posts are loaded only on request. Every page works without this file.

const LIVE = "/live";
const HOME = "/";
const NOTIFICATIONS = "/notifications";
const MESSAGES = "/messages";
/** Delay before reconnecting when the browser does not reconnect itself. Doubles each time. */
const RECONNECT_AFTER_MS = 2_000;
const RECONNECT_AFTER_MAX_MS = 120_000;
/** Higher counts are shown as 99+. */
const MAX_COUNT = 99;

const login = document.body.dataset.login;
const home = document.querySelector("[data-since]");
const chat = document.querySelector("[data-chat]");

// --- The stream. It is open while the page is visible, and continues from the newest post on the page.
//     So events that arrive while it is closed are delivered when it is opened again.

let stream = null;
let reconnectTimer = 0;
let attempts = 0;
let loggedOut = false;

function streamUrl() {
  const query = new URLSearchParams({ login });
  if (home) query.set("since", home.dataset.since);
  if (chat) query.set("chat", chat.dataset.chat.split("/").at(-1));
  const watch = document.querySelector("[data-watch]")?.dataset.watch;
  return `${LIVE}?${query}${watch ? `&${watch}` : ""}`;
}

function openStream() {
  clearTimeout(reconnectTimer);
  if (stream || loggedOut || document.hidden || !navigator.onLine) return;
  stream = new EventSource(streamUrl());
  const on = (name, handle) => stream.addEventListener(name, (event) => handle(event.data));
  stream.addEventListener("open", () => { attempts = 0; });
  on("arrived", (count) => showArrivals(Number(count), "exact"));
  on("reset", (count) => showArrivals(Number(count), "about"));
  on("counts", (counts) => showCounts(JSON.parse(counts)));
  on("unread", (count) => showUnread(Number(count)));
  on("messages", (count) => showUnreadChats(Number(count)));
  on("chat", (version) => { if (version !== chat?.dataset.version) loadMessages(); });
  on("newer", (count) => document.dispatchEvent(new CustomEvent("newer", { detail: Number(count) })));
  on("ended", reconnect);
  on("crowded", closeStream);
  stream.addEventListener("error", () => {
    if (stream?.readyState === EventSource.CLOSED) reconnect();
  });
}

function closeStream() {
  clearTimeout(reconnectTimer);
  stream?.close();
  stream = null;
}

/** Reconnects after a growing delay, unless the member is logged out in this browser. */
async function reconnect() {
  closeStream();
  try {
    const response = await fetch(streamUrl(), { method: "HEAD", cache: "no-store" });
    if (response.status === 403) {
      showLoggedOut();
      return;
    }
  } catch {
    // The site cannot be reached. The next attempt may succeed.
  }
  const maxDelay = Math.min(RECONNECT_AFTER_MAX_MS, RECONNECT_AFTER_MS * 2 ** attempts);
  attempts += 1;
  clearTimeout(reconnectTimer);
  reconnectTimer = setTimeout(openStream, maxDelay * (0.5 + Math.random() / 2));
}

// --- Messages are shown above the page's content, without moving it.

const liveRegion = document.querySelector(".live");

// The title without the count of new posts, and that count.
let titleText = "";
let titleCount = "";

function readTitle(title) {
  [, titleCount = "", titleText] = /^(?:\((\d+\+?)\) )?(.*)$/s.exec(title);
  document.title = title;
}

/** All new posts are on the page, so the title no longer counts them. */
function clearCount() {
  titleCount = "";
  document.title = titleText;
}

readTitle(document.title);

function showArrivals(count, precision) {
  if (loggedOut) return;
  const number = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
  showTitle(count);
  if (count === 0 && precision === "exact") {
    liveRegion.replaceChildren();
    return;
  }
  const label = count === 0 ? "Show new posts" : `${number} new ${count === 1 ? "post" : "posts"}`;
  const shown = liveRegion.querySelector("button");
  if (shown?.textContent === label) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", loadNewPosts);
  const hadFocus = shown && shown === document.activeElement;
  liveRegion.replaceChildren(button);
  if (hadFocus) button.focus();
}

function showTitle(count) {
  if (titleCount.endsWith("+")) return;
  const total = Number(titleCount) + count;
  const number = total > MAX_COUNT ? `${MAX_COUNT}+` : total;
  document.title = total > 0 ? `(${number}) ${titleText}` : titleText;
}

function showCounts(counts) {
  for (const [name, [number, noun]] of Object.entries(counts)) {
    for (const link of document.querySelectorAll(`[data-counts] [data-count="${name}"]`)) {
      link.querySelector("b").textContent = number;
      link.lastChild.textContent = ` ${noun}`;
    }
  }
}

/** Shows the count beside the link, and on the notifications page also in the title and above the list. */
function showUnread(count) {
  const number = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
  showBadge(NOTIFICATIONS, "unread", count);
  if (location.pathname === NOTIFICATIONS) showNotifications(count, number);
}

function showUnreadChats(count) {
  showBadge(MESSAGES, "unreadChats", count);
}

/** Shows a number beside a link of the navigation, or none for zero. */
function showBadge(path, name, count) {
  const link = document.querySelector(`.tabs [href="${path}"]`);
  link.querySelector(".unread")?.remove();
  if (count > 0) link.append(unreadBadge(name, count > MAX_COUNT ? `${MAX_COUNT}+` : String(count)));
}

function unreadBadge(name, number) {
  const badge = document.createElement("b");
  badge.className = "unread";
  const words = document.createElement("span");
  words.className = "sr-only";
  words.textContent = " unread";
  const shown = document.createElement("span");
  shown.dataset[name] = "";
  shown.textContent = number;
  badge.append(shown, words);
  return badge;
}

function showNotifications(count, number) {
  if (loggedOut) return;
  showTitle(count);
  const link = document.createElement("a");
  link.className = "button";
  link.href = NOTIFICATIONS;
  link.textContent = `${number} new ${count === 1 ? "notification" : "notifications"}`;
  liveRegion.replaceChildren(...(count > 0 ? [link] : []));
}

/** Returns whether this tab stores the text of the form as a draft, which returns after the log-in. */
function isDraftStored() {
  const text = document.querySelector("[data-compose] [name=message]")?.value;
  try {
    const keys = Object.keys(sessionStorage).filter((key) => `${key}:`.startsWith(`draft:${login}:`));
    return Boolean(text?.trim()) && keys.some((key) => JSON.parse(sessionStorage.getItem(key)).fields.message === text);
  } catch {
    return false;
  }
}

function showLoggedOut() {
  loggedOut = true;
  const message = document.createElement("p");
  message.className = "flash";
  const link = document.createElement("a");
  link.href = `/login?${new URLSearchParams({ next: location.pathname })}`;
  link.textContent = "Log in";
  message.append("You have been logged out. ", link, isDraftStored() ? " to continue. Your draft is saved." : " to continue.");
  liveRegion.replaceChildren(message);
}

// --- New posts are taken from a freshly loaded home.

async function loadNewPosts({ currentTarget: button }) {
  button.disabled = true;
  try {
    const response = await fetch(HOME, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (response.ok && page.body.dataset.login === login && mergePage(page)) return;
  } catch {
    // The browser shows the error when it loads the page itself.
  }
  location.assign(HOME);
}

/** Adds new posts to this page and removes deleted ones. Returns false if the two pages have no post in
    common, because there may be more between them. */
function mergePage(page) {
  const loadedHome = page.querySelector("[data-since]");
  const [ownFeed, loadedFeed] = [home, loadedHome].map((part) => part?.querySelector(".feed .sheet"));
  if (!ownFeed || !loadedFeed) return false;
  const known = new Set([...ownFeed.querySelectorAll(".status")].map((status) => status.id));
  const statuses = [...loadedFeed.querySelectorAll(".status")];
  if (!statuses.some((status) => known.has(status.id))) return false;
  mergeFeed(ownFeed, loadedFeed, idOf(statuses.at(-1)));
  const first = statuses.find((status) => !known.has(status.id));
  copyState(page, loadedHome);
  focusStatus(first ?? statuses[0]);
  return true;
}

const idOf = (status) => Number(status.id.slice("status-".length));

/** Makes the feed equal to the loaded one, down to the oldest status of the loaded one. The divider above
    an older status stays with it. */
function mergeFeed(ownFeed, loadedFeed, oldest) {
  const parts = [...ownFeed.children];
  const isOlder = (part) => part.matches(".status") && idOf(part) < oldest;
  const firstOlder = parts.findIndex(isOlder);
  const end = firstOlder > 0 && parts[firstOlder - 1].matches(".new-divider") ? firstOlder - 1 : firstOlder;
  const shown = firstOlder < 0 ? parts : parts.slice(0, end);
  const present = new Map(shown.filter((part) => part.id).map((part) => [part.id, part]));
  const wanted = [...loadedFeed.children];
  const ids = new Set(wanted.map((part) => part.id));
  shown.filter((part) => !part.id || !ids.has(part.id)).forEach((part) => part.remove());
  let next = ownFeed.firstElementChild;
  for (const part of wanted) {
    if (next && present.get(part.id) === next) next = next.nextElementSibling;
    else ownFeed.insertBefore(document.adoptNode(part), next);
  }
}

/** Copies the summary of new posts, the title, and the position of the stream. */
function copyState(page, loadedHome) {
  const [before, now] = [home, loadedHome].map((part) => part.querySelector(".new-posts"));
  const allShown = now?.querySelector("a")?.getAttribute("href").startsWith(`${HOME}#`);
  before?.remove();
  if (now && !allShown) home.querySelector(".feed").before(document.adoptNode(now));
  home.dataset.since = loadedHome.dataset.since;
  readTitle(page.title);
  if (allShown) clearCount();
  liveRegion.replaceChildren();
  document.dispatchEvent(new Event("statuseschange"));
  closeStream();
  openStream();
}

function focusStatus(status) {
  const shown = document.getElementById(status.id);
  shown.tabIndex = -1;
  shown.focus();
}

// --- A conversation of messages. The page is loaded again in the background, and its messages take the places of
//     those that changed. Reading it there counts as reading, because the page is visible.

/** Shortest time between two loads. Otherwise many messages of others would use up the reader's share of the site. */
const LOAD_INTERVAL_MS = 2_000;

let isLoading = false;
let isOutdated = false;

async function loadMessages() {
  isOutdated = true;
  if (isLoading || loggedOut) return;
  isLoading = true;
  while (isOutdated) {
    isOutdated = false;
    let pause = LOAD_INTERVAL_MS;
    try {
      const response = await fetch(chat.dataset.chat, { cache: "no-store" });
      if (response.status === 404) location.assign("/messages");
      if (response.status === 429) {
        isOutdated = true;
        pause = Math.max(pause, 1_000 * (Number(response.headers.get("Retry-After")) || 0));
      }
      if (response.ok) mergeMessages(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch {
      // The stream reads again, at the latest after its next heartbeat.
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  isLoading = false;
}

/** Makes the messages equal to the loaded ones, from the oldest loaded one on. */
function mergeMessages(page) {
  const loaded = page.querySelector("[data-chat]");
  if (!loaded || page.body.dataset.login !== login) return;
  const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 160;
  const items = [...loaded.children];
  const number = (item) => Number(item.id.slice("message-".length));
  const kept = new Map([...chat.children].map((item) => [item.id, item]));
  const ids = new Set(items.map((item) => item.id));
  const oldest = items.length > 0 ? number(items[0]) : Infinity;
  for (const item of kept.values()) if (number(item) >= oldest && !ids.has(item.id)) item.remove();
  for (const item of items) {
    const shown = kept.get(item.id);
    if (!shown) chat.append(document.adoptNode(item));
    else if (shown.textContent !== item.textContent && !shown.contains(document.activeElement)) shown.replaceWith(document.adoptNode(item));
  }
  chat.dataset.version = loaded.dataset.version;
  chat.setAttribute("aria-live", "polite");
  document.dispatchEvent(new Event("statuseschange"));
  if (isAtEnd) scrollTo({ top: document.documentElement.scrollHeight });
}

/** Sends a message and stays on the page. The answer is the page with the message, and its form has a new key. */
async function sendMessage(form, button) {
  const message = form.querySelector("[name=message]");
  button.disabled = true;
  try {
    const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.querySelector(".message-form");
    if (response.ok && response.redirected && next) {
      form.elements.idempotency_key.value = next.elements.idempotency_key.value;
      form.elements.csrf_token.value = next.elements.csrf_token.value;
      message.value = "";
      form.dispatchEvent(new Event("sent"));
      message.dispatchEvent(new Event("input", { bubbles: true }));
      mergeMessages(page);
      scrollTo({ top: document.documentElement.scrollHeight });
      message.focus();
      button.disabled = false;
      return;
    }
  } catch {
    // The text is still in the form. It is sent again with the same key, so not twice.
    button.disabled = false;
    document.dispatchEvent(new CustomEvent("say", { detail: "Not sent. Try again." }));
    return;
  }
  button.disabled = false;
  form.submit();
}

if (chat) {
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches(".message-form") || event.defaultPrevented) return;
    event.preventDefault();
    const button = submitter ?? form.querySelector("[type=submit]");
    if (!button.disabled) sendMessage(form, button);
  }, { capture: true });
  if (location.hash !== "#newest") scrollTo({ top: document.documentElement.scrollHeight });
}

if (login && "EventSource" in window) {
  document.addEventListener("visibilitychange", () => (document.hidden ? closeStream() : openStream()));
  window.addEventListener("pagehide", closeStream);
  window.addEventListener("pageshow", openStream);
  window.addEventListener("offline", closeStream);
  window.addEventListener("online", openStream);
  document.addEventListener("watchchange", () => {
    closeStream();
    openStream();
  });
  openStream();
}
