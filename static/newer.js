// Offers newer posts on the page of everybody, and new replies in a conversation, as they come. The stream counts
// them (live.js). They are loaded on request, from the page itself. The page works without this file.

/** Number of posts whose replies are watched, as in the site. */
const MAX_WATCHED = 24;
/** Higher counts are shown as 25+. */
const MAX_COUNT = 25;

const part = document.querySelector("[data-newer]");
const isConversation = part.dataset.newer === "replies";
/** The path of the page, also if it answered a form. */
const { pathname, search } = new URL(document.querySelector("link[rel=canonical]")?.href ?? location.href);
const path = pathname + search;
const idOf = (status) => Number(status.id.slice("status-".length));

/** The newest post up to which the page has all. */
let newest = 0;

/** Sets the parameters of the stream: the posts on the page. */
function watch(isComplete = true) {
  const ids = [...part.querySelectorAll(".status[id]")].map(idOf);
  // The page can be newer than the newest reply that it shows: it leaves out some of many replies.
  if (isComplete) newest = Math.max(Number(part.dataset.newest), ...ids);
  part.dataset.watch = isConversation ? `replies=${ids.slice(0, MAX_WATCHED).join(".")}&after=${newest}` : `newest=${newest}`;
}

function offer(count) {
  const region = document.querySelector(".live");
  if (!region || region.querySelector(".flash")) return;
  const shown = region.querySelector("button");
  const noun = isConversation ? (count === 1 ? "reply" : "replies") : count === 1 ? "post" : "posts";
  const label = `${count > MAX_COUNT ? `${MAX_COUNT}+` : count} new ${noun}`;
  if (count > 0 && shown?.textContent === label) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", show);
  const hadFocus = shown && shown === document.activeElement;
  region.replaceChildren(...(count > 0 ? [button] : []));
  if (hadFocus && count > 0) button.focus();
}

/** Adds the new posts to the page. If the fresh page does not show where they belong, it is opened instead. */
async function show({ currentTarget: button }) {
  button.disabled = true;
  try {
    const response = await fetch(path, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const loaded = page.querySelector("[data-newer]");
    if (response.ok && page.body.dataset.login === document.body.dataset.login && loaded) {
      const added = isConversation ? mergeReplies(loaded) : mergePosts(loaded);
      if (added.length > 0) {
        part.dataset.newest = loaded.dataset.newest;
        finish(added[0]);
        return;
      }
    }
  } catch {
    // The browser shows the error when it loads the page itself.
  }
  location.assign(path);
}

function finish(first) {
  document.querySelector(".live").replaceChildren();
  watch();
  document.dispatchEvent(new Event("statuseschange"));
  document.dispatchEvent(new Event("watchchange"));
  first.tabIndex = -1;
  first.focus();
}

/** Puts the new posts above the others. None if both pages have no post in common, because there may be more between
    them. */
function mergePosts(loaded) {
  const sheet = part.querySelector(".feed .sheet");
  const isKnown = (status) => document.getElementById(status.id);
  const statuses = [...loaded.querySelectorAll(".sheet > .status")];
  if (!sheet || !statuses.some(isKnown)) return [];
  const added = statuses.filter((status) => !isKnown(status)).map((status) => document.adoptNode(status));
  sheet.prepend(...added);
  return added;
}

/** Puts each new reply at the end of the replies to its parent. The text in the reply box is not touched. */
function mergeReplies(loaded) {
  return [...loaded.querySelectorAll(".reply-list .status")].filter(mergeReply);
}

/** Returns whether the page now has a reply that it did not have. */
function mergeReply(reply) {
  if (document.getElementById(reply.id) || reply.closest(".hidden-replies")) return false;
  const item = reply.closest("li");
  const below = item.closest(".nested-replies");
  const parent = document.getElementById(below.closest(".status").id);
  if (!parent) return false;
  let place = parent.querySelector(":scope > .nested-replies");
  const list = place?.querySelector(":scope > .reply-list, :scope > form > .reply-list");
  if (list) {
    list.append(document.adoptNode(item));
    return true;
  }
  if (!place) {
    place = document.createElement("div");
    place.className = "nested-replies";
    parent.append(place);
  }
  const isSubject = parent.matches(".subject");
  const parts = isSubject ? ":scope > :not(.reply-box)" : ":scope > :is(.reply-list, .more), :scope > form > .reply-list";
  place.append(...[...below.querySelectorAll(parts)].map((each) => document.adoptNode(each)));
  return true;
}

/** Shows a reply that was just sent: the newest one to its post in the page that the site answered with. The page can
    still lack replies by others, so these are offered as before. */
function showOwn({ detail: { page, to } }) {
  const loaded = page.querySelector("[data-newer=replies]");
  const below = [...(loaded?.querySelectorAll(".reply-list .status[id]") ?? [])]
    .filter((reply) => reply.parentNode.closest(".status").id === to);
  if (!isConversation || below.length === 0) return;
  const own = below.reduce((one, other) => (idOf(one) > idOf(other) ? one : other));
  // Replies of others come with their offer.
  for (const other of below) if (other !== own) other.closest("li").remove();
  mergeReply(own);
  watch(false);
  document.dispatchEvent(new Event("statuseschange"));
  document.dispatchEvent(new Event("watchchange"));
}

document.addEventListener("replied", showOwn);
watch();
document.addEventListener("newer", ({ detail: count }) => offer(count));
