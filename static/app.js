// Optional improvements: a character counter, a confirmation dialog, buttons that do not reload the
// page, relative times, drafts that survive a reload. Every page works without this file. It has over 400
// lines because a page loads one file.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this many remaining characters, the counter is shown and announced to screen readers. */
const ANNOUNCE_FROM = 50;
/** Pause in typing before the counter is announced. */
const ANNOUNCE_AFTER_MS = 800;
/** After this time, a form without a response may be sent again. */
const UNLOCK_AFTER_MS = 10_000;
/** A press without an answer for this time counts as failed. */
const PRESS_MS = 20_000;
/** The button that sends a form. The others have names: they show more of it, or act on one of many posts. */
const SEND_BUTTON = "[type=submit]:not([hidden], [name])";
/** How long a toast is shown. */
const TOAST_MS = 8_000;

const login = document.body.dataset.login ?? "";

const NOT_LOADED = "Not loaded. Try again.";
const NOT_SENT = "Not sent. Try again.";

/** Returns whether a request failed because no answer came. */
function isUnanswered(error) {
  return ["TypeError", "TimeoutError", "AbortError"].includes(error.name);
}

/** Returns a page of the site as it is now. Throws if no answer comes, or another page. */
async function loadPage(path) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout?.(PRESS_MS) });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!response.ok || page.body.dataset.login !== login) throw new Error("another page");
  return page;
}

/** Returns a line that says that something is being loaded. */
function loadingLine() {
  const line = document.createElement("p");
  line.className = "meta loading";
  line.setAttribute("role", "status");
  line.textContent = "Loading…";
  return line;
}

/** Returns whether a click does not open another tab or window. */
function isPlain(event) {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

// --- Counts like the server: grapheme clusters of the trimmed text, CR LF as one.

const graphemes = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "grapheme" }) : null;

function countCharacters(text) {
  const normalized = text.trim().replace(/\r?\n/g, "\r\n");
  return graphemes ? [...graphemes.segment(normalized)].length : [...normalized.replaceAll("\r\n", "\n")].length;
}

// --- Drafts are stored in this tab under the member's login, until log-out.
//     A draft is deleted only when the server confirms the post, because a response may be lost.
//     A page without a login does not delete drafts: the server may not know the viewer yet.

/** Returns whether a form changes a post. */
function isEdit(form) {
  return /^\/statuses\/\d+\/edit$/.test(new URL(form.action).pathname);
}

/** Returns the storage key of the draft of a new conversation: one for each person that a profile leads to. A form that
    was given back has the key under which it was sent. */
function newMessageKey(form) {
  const key = `draft:${login}:${new URL(form.action).pathname}`;
  const sentKey = form.querySelector("[aria-invalid]") && sentDraftKey();
  if (sentKey?.startsWith(key)) return sentKey;
  const people = form.elements.people.defaultValue;
  return people ? `${key}?to=${people}` : key;
}

/** Returns the storage key of the draft that was sent last. */
function sentDraftKey() {
  try {
    return sessionStorage.getItem("sent-draft");
  } catch {
    return null;
  }
}

/** Returns the storage key of the draft of a post, reply, quote, edit or message. */
function draftKey(form) {
  if (form.elements.people) return newMessageKey(form);
  if (isEdit(form) || form.matches(".message-form")) return `draft:${login}:${new URL(form.action).pathname}`;
  const replyTo = form.elements.reply_to?.value;
  const quoteOf = new URL(form.action).pathname.match(/\/(\d+)\/quote$/)?.[1];
  if (quoteOf) return `draft:${login}:quote:${quoteOf}`;
  return replyTo ? `draft:${login}:${replyTo}` : `draft:${login}`;
}

function deleteDrafts(shouldDelete) {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith("draft:") && shouldDelete(key));
    keys.forEach((key) => sessionStorage.removeItem(key));
  } catch {
    // This browser stores nothing for sites.
  }
}

function isOfOtherLogin(key) {
  return key !== `draft:${login}` && !key.startsWith(`draft:${login}:`);
}

/** Returns whether the server has confirmed this draft: the one that was sent last. */
function isPosted(key) {
  const lastSent = sentDraftKey();
  return lastSent ? key === lastSent : true;
}

/** Returns the fields that a person fills in. Hidden fields belong to the page. */
function typedFields(form) {
  return [...form.elements].filter((field) => field.name && field.type !== "hidden");
}

/** Returns the whole form by the names of its fields: also the warning and the poll. */
function readFields(form) {
  return Object.fromEntries(typedFields(form).map((field) => [field.name, field.type === "checkbox" ? field.checked : field.value]));
}

function writeFields(form, values) {
  for (const field of typedFields(form)) {
    const value = values[field.name];
    if (typeof value === "boolean") field.checked = value;
    else field.value = value ?? field.value;
  }
  for (const extras of form.querySelectorAll("details.extras")) {
    const { options } = extras.querySelector("select");
    const isChosen = extras.matches(".reply-control") && (options.selectedIndex > 0 || extras.querySelector(":checked:not(option)"));
    if (isChosen || [...extras.querySelectorAll("[type=text]")].some((field) => field.value)) extras.open = true;
  }
}

/** Says that the draft could not be loaded. The rest of the form waits, so that nothing replaces the draft and nothing
    is sent without it. */
function showDraftError(form, retry, remove) {
  const others = [...form.children];
  const notice = document.createElement("p");
  notice.className = "error draft-error";
  notice.setAttribute("role", "alert");
  notice.append("Your draft could not be loaded.");
  for (const [label, act] of [["Try again", retry], ["Delete draft", remove]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small secondary";
    button.textContent = label;
    button.addEventListener("click", () => {
      notice.remove();
      for (const part of others) part.inert = false;
      act();
    });
    notice.append(" ", button);
  }
  for (const part of others) part.inert = true;
  form.prepend(notice);
}

/** Adds the parts of the form that a draft has fields for: the warning and the poll, and the posts of a thread. */
async function addDraftParts(form, fields) {
  const [thread] = await Promise.all([
    "post_2" in fields ? import("thread.js") : null,
    "warning" in fields ? loadExtras(form) : null,
  ]);
  thread?.addPosts(form, fields);
}

/** Stores and restores the form's draft. A form that was given back with an error contains the newest
    text; otherwise this tab does. A sent text keeps its idempotency key, so it is not posted twice. After a
    reload, another text has the key of the new page, because it is another post. */
function attachDraft(form, showRestored) {
  // Beside older messages, a sent message does not appear, and its draft would stay.
  if (!login || (form.matches(".message-form") && !form.elements.people && !document.querySelector("[data-chat]"))) return;
  // An edit has no key. Its draft belongs to the version of the post that it changes.
  const revision = form.elements.revision?.value;
  const keyField = form.elements.idempotency_key ?? { value: revision };
  const storageKey = draftKey(form);
  let newKey = keyField.value;
  const formText = () => JSON.stringify(readFields(form));
  let sentKey = null;
  let sentText = null;
  // The stored draft, until the form has the parts for it, and the fields that were changed meanwhile.
  let waiting = null;
  const changed = [];
  const saveDraft = () => {
    if (waiting) return;
    try {
      sessionStorage.setItem(storageKey, JSON.stringify({ fields: readFields(form), revision, sentWith: sentKey, sentText }));
      if (sentKey) sessionStorage.setItem("sent-draft", storageKey);
    } catch {
      // Storage is full or forbidden. The text is still in the form.
    }
  };
  const restore = (draft) => {
    writeFields(form, draft.fields);
    sentKey = draft.sentWith;
    sentText = draft.sentText;
    const chooseKey = () => {
      keyField.value = sentKey && formText() === sentText ? sentKey : newKey;
    };
    chooseKey();
    form.addEventListener("input", chooseKey);
    showRestored();
  };
  /** Restores the whole draft, or nothing of it. A message that is typed meanwhile replaces it. */
  const restoreWaiting = async () => {
    const { fields } = waiting;
    try {
      await addDraftParts(form, fields);
    } catch {
      if (waiting) showDraftError(form, restoreWaiting, () => { waiting = null; saveDraft(); });
      return;
    }
    if (!waiting) return;
    const draft = waiting;
    const typed = Object.entries(readFields(form)).filter(([name]) => changed.includes(name));
    waiting = null;
    restore({ ...draft, fields: { ...fields, ...Object.fromEntries(typed) } });
    if (typed.length > 0) saveDraft();
  };
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey));
    const returned = form.querySelector("[aria-invalid]") || form.closest(".retained");
    if (returned) {
      // The draft of the whole thread is not needed any more: its first posts are published.
      if ("continuesThread" in form.dataset) deleteDrafts((key) => key === sessionStorage.getItem("sent-draft"));
      sentKey = keyField.value;
      sentText = formText();
      saveDraft();
    } else if (!draft || draft.revision !== revision) {
      // There is nothing to restore.
    } else if ("warning" in draft.fields || "post_2" in draft.fields) {
      waiting = draft;
      restoreWaiting();
    } else restore(draft);
  } catch {
    // An unreadable draft is ignored.
  }
  form.addEventListener("input", ({ target }) => {
    if (target.type === "textarea") waiting = null;
    if (waiting) changed.push(target.name);
    saveDraft();
  });
  form.addEventListener("submit", () => {
    sentKey = keyField.value;
    sentText = formText();
    saveDraft();
  });
  // A message was sent, and the form has the key of the next one.
  form.addEventListener("sent", () => {
    newKey = keyField.value;
    sentKey = null;
    sentText = null;
    saveDraft();
  });
}

/** Returns whether this tab has a draft with a text in it. */
function hasDraft() {
  try {
    const drafts = Object.keys(sessionStorage).filter((key) => key.startsWith("draft:"));
    const texts = drafts.flatMap((key) => Object.entries(JSON.parse(sessionStorage.getItem(key)).fields));
    return texts.some(([name, value]) => !["hours", "visibility", "people"].includes(name) && typeof value === "string" && value.trim());
  } catch {
    return false;
  }
}

// A confirmation is read first, like an error. The focus does not scroll away from the post that the page opens at.
const focusFlash = () => document.querySelector(".flash[tabindex]")?.focus({ preventScroll: true });
focusFlash();
// The browser moves the focus to the fragment of the address when the page is loaded.
if (location.hash) window.addEventListener("load", () => setTimeout(focusFlash), { once: true });

if (document.querySelector("[data-posted]")) deleteDrafts(isPosted);
if (login) deleteDrafts(isOfOtherLogin);
document.querySelector(".log-out")?.addEventListener("submit", (event) => {
  if (hasDraft() && !confirm("Log out? Your draft will be deleted.")) event.preventDefault();
  else if (navigator.onLine) deleteDrafts(() => true);
});

// --- The form to post, and the form to edit a post

function attachCompose(form) {
  const message = form.elements.message;
  // The counter is that of the post that is being written.
  let current = message;
  const counter = form.querySelector("[data-limit]");
  const announcement = form.querySelector("[data-announcement]");
  const limit = Number(counter.dataset.limit);
  let announceTimer = 0;

  // People with a keyboard read how to send what they write.
  const hint = () => (current.value && matchMedia("(hover: hover)").matches ? "Ctrl+Enter to send" : "");

  const updateCounter = () => {
    const left = limit - countCharacters(current.value);
    const label = left < 0 ? `${-left} too many` : `${left} left`;
    counter.textContent = left <= ANNOUNCE_FROM ? label : hint();
    counter.classList.add("ready");
    counter.classList.toggle("over-limit", left < 0);
    clearTimeout(announceTimer);
    announceTimer = setTimeout(() => { announcement.textContent = left <= ANNOUNCE_FROM ? `${label} of ${limit}` : ""; }, ANNOUNCE_AFTER_MS);
  };

  const showText = () => {
    updateCounter();
    if (message.value) addPreviewButton(form);
  };
  if (form.elements.idempotency_key || isEdit(form)) attachDraft(form, showText);
  updateCounter();
  for (const kind of ["input", "focusin"]) {
    form.addEventListener(kind, ({ target }) => {
      if (target.type !== "textarea") return;
      current = target;
      updateCounter();
    });
  }
  message.addEventListener("input", () => addPreviewButton(form));
  form.addEventListener("keydown", (event) => {
    if (event.target.type === "textarea" && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

document.querySelectorAll("[data-compose]").forEach(attachCompose);
// These pages have nothing but a form.
if (/^\/statuses\/\d+\/(edit|quote)$/.test(location.pathname)) {
  const box = document.querySelector("[data-compose] [name=message]");
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
}

// --- The button "Preview". A short form gets it with the first text.

function addPreviewButton(form) {
  if (!form.elements.idempotency_key || form.matches(".message-form") || form.querySelector(".preview-button")) return;
  const submit = form.querySelector(SEND_BUTTON);
  const button = document.createElement("button");
  button.type = "submit";
  button.className = "preview-button secondary";
  button.name = "extras";
  button.value = "preview";
  button.formNoValidate = true;
  button.textContent = "Preview";
  const send = document.createElement("div");
  send.className = "send";
  submit.replaceWith(send);
  send.append(submit, button);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".preview-button");
  if (!button) return;
  event.preventDefault();
  try {
    const { showPreview } = await import("preview.js");
    showPreview(button, say);
  } catch {
    say("The preview could not be loaded. Try again.");
  }
});

// --- The list of people that completes a name is loaded with the first "@".

document.addEventListener("input", async ({ target }) => {
  if (!login || !target.matches("[data-compose]:not(.message-form) textarea") || !target.value.includes("@")) return;
  const { update } = await import("mentions.js");
  update(target);
});

// --- The rest of the form to post is loaded when it is needed: a warning, a poll, and who can reply.

/** Puts the closed parts in the place of their buttons. Throws if they cannot be loaded. */
async function loadExtras(form) {
  const [first, ...others] = form.querySelectorAll("button.extras:not(.add-post)");
  if (!first) return;
  const body = new URLSearchParams(new FormData(form));
  body.set(first.name, first.value);
  const response = await fetch(form.action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const parts = page.querySelectorAll("[data-compose] details.extras");
  if (!response.ok || page.body.dataset.login !== login || parts.length === 0) throw new Error("no parts");
  if (!first.isConnected) return;
  for (const part of parts) {
    part.open = false;
    first.before(document.adoptNode(part));
  }
  for (const button of [first, ...others]) button.remove();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("button.extras");
  if (!button) return;
  event.preventDefault();
  const { form } = button;
  const kind = button.matches(".reply-control") ? ".reply-control" : ":not(.reply-control)";
  button.setAttribute("aria-busy", "true");
  try {
    if (button.matches(".add-post")) {
      const { addPost } = await import("thread.js");
      addPost(form).focus();
      return;
    }
    await loadExtras(form);
    const part = form.querySelector(`details.extras${kind}`);
    part.open = true;
    part.querySelector("summary").focus();
  } catch (error) {
    if (isUnanswered(error)) say(NOT_LOADED);
    else form.requestSubmit(button);
  } finally {
    button.removeAttribute("aria-busy");
  }
});

// --- A press shows its effect at once: favourite, bookmark, repost, vote, follow. The answer brings only
//     what changed. A press that the site did not get is taken back. After a refusal the form is submitted
//     normally, and the error page explains the next step.

const pendingPresses = new Set();
const normalSubmits = new Set();
const toast = document.createElement("p");
toast.className = "toast";
toast.setAttribute("role", "status");
document.body.append(toast);
let toastTimer = 0;

/** Shows a sentence above the page for a while, without moving it, and a button to undo what it says. */
function say(sentence, undo = null) {
  clearTimeout(toastTimer);
  // An open dialog covers the page.
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (toast.parentNode !== place) place.append(toast);
  toast.textContent = sentence;
  if (undo) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small secondary";
    button.textContent = "Undo";
    button.addEventListener("click", undo);
    toast.append(" ", button);
  }
  toastTimer = setTimeout(say, TOAST_MS, "");
}

/** Replaces the text of a deleted post by a message. */
function showDeleted(status) {
  const message = document.createElement("p");
  message.className = "meta";
  message.tabIndex = -1;
  message.textContent = "This post was deleted.";
  status.querySelector(".status-body").replaceChildren(message);
  message.focus();
}

/** Returns the part that has the count of a button. That of a repost is beside the icon of its menu. */
function countedPart(button) {
  return button.closest(".status footer details")?.querySelector("summary") ?? button;
}

const countOf = (part) => part.querySelector("b")?.textContent ?? "";

/** Shows a count beside an icon. No count is shown as nothing. */
function showCount(part, count) {
  if (part.closest("[data-uncounted]")) return;
  const number = part.querySelector("b") ?? document.createElement("b");
  number.textContent = count;
  if (count) part.append(number);
  else number.remove();
}

/** Sets a button under a status to its state, and its action to the opposite. */
function setToggle(button, isPressed, count) {
  const action = button.name.replace(/^un/, "");
  button.name = isPressed ? `un${action}` : action;
  button.setAttribute("aria-pressed", isPressed);
  if (button.closest("details") && action === "repost") button.textContent = isPressed ? "Undo repost" : "Repost";
  showCount(countedPart(button), count);
}

function pressToggle(button) {
  const wasPressed = button.getAttribute("aria-pressed") === "true";
  const count = countOf(countedPart(button));
  const next = Number(count.replaceAll(",", "")) + (wasPressed ? -1 : 1);
  const isCounted = !button.name.endsWith("bookmark");
  setToggle(button, !wasPressed, isCounted && next > 0 ? next.toLocaleString("en") : "");
  return () => setToggle(button, wasPressed, count);
}

/** Returns the cards of a timeline that a person wrote or reposted. */
function cardsOf(author) {
  const link = `:is(.reposted a, .status-body > header > .p-author)[href="/@${author}"]`;
  return [...document.querySelectorAll(".feed .status")].filter((card) => card.querySelector(link));
}

/** Hides cards of a timeline. The focus moves to the first card behind them. Returns a function that shows them. */
function hideCards(cards) {
  for (const card of cards) card.hidden = true;
  let next = cards[0]?.nextElementSibling;
  while (next && (next.hidden || !next.matches(".status"))) next = next.nextElementSibling;
  next?.querySelector(".time")?.focus({ preventScroll: true });
  return () => { for (const card of cards) card.hidden = false; };
}

/** Returns whether this page hides the posts of muted people. */
const hidesMuted = /^\/(important|lists\/\d+)?$/.test(location.pathname);

/** Hides the posts of a person, or shows them again. */
function pressMute(button) {
  const flip = () => {
    const isMute = button.name === "mute";
    button.name = isMute ? "unmute" : "mute";
    button.textContent = `${isMute ? "Unmute" : "Mute"} @${button.value}`;
    const cards = cardsOf(button.value);
    if (isMute) hideCards(cards);
    else for (const card of cards) card.hidden = false;
  };
  flip();
  return flip;
}

function pressVote(button) {
  const label = button.textContent;
  button.textContent = "Voting…";
  return () => { button.textContent = label; };
}

/** Returns the action of a follow button: its name, or the end of the path of its own form. */
function followAction(button, form) {
  return button.name || form.getAttribute("action").split("/").at(-1);
}

/** Turns a follow button into an unfollow button, or back. Its first text is the label. */
function pressFollow(button, form) {
  const flip = () => {
    const isUnfollow = followAction(button, form) === "unfollow";
    const opposite = isUnfollow ? "follow" : "unfollow";
    if (button.name) button.name = opposite;
    else form.action = form.getAttribute("action").replace(/\w+$/, opposite);
    button.firstChild.textContent = isUnfollow ? "Follow" : "Unfollow";
    button.classList.toggle("secondary", !isUnfollow);
  };
  flip();
  return flip;
}

/** Shows the state of a status that the site answered with. */
function showState(button, state) {
  for (const [name, [isPressed, count]] of Object.entries(state.buttons)) {
    document.querySelectorAll(`:is([name="${name}"], [name="un${name}"])[value="${button.value}"]`)
      .forEach((each) => { if (each === button || !pendingPresses.has(each)) setToggle(each, isPressed, count); });
  }
  const poll = button.closest(".poll");
  if (!poll || !state.poll) return;
  const results = document.createRange().createContextualFragment(state.poll).firstElementChild;
  results.tabIndex = -1;
  poll.replaceWith(results);
  results.focus();
}

/** Returns the answer to a press, after the redirect to `next`. `null` if the page must explain it. */
async function send(button, action, body) {
  const response = await fetch(action, { method: "POST", body, keepalive: true, signal: AbortSignal.timeout?.(PRESS_MS) });
  if (response.status >= 500) {
    // Only the page after the redirect failed.
    if (response.redirected) return {};
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    throw new Error(page.querySelector("h1")?.textContent ?? "Try again");
  }
  if (response.status === 404 && button.closest(".status")) return { isDeleted: true };
  return response.headers.get("content-type") === "application/json" ? response.json() : null;
}

/** Returns whether the buttons of a form are under statuses. */
function isOfStatuses(form) {
  return form.getAttribute("action") === "/statuses/press";
}

/** Shows the effect of a press, sends it, and shows the answer. */
async function press(button, form, showEffect) {
  const action = form.getAttribute("action");
  const body = new URLSearchParams(new FormData(form));
  const isUnfollow = showEffect === pressFollow && followAction(button, form) === "unfollow";
  body.set("next", isOfStatuses(form) && ![pressFollow, pressMute].includes(showEffect) ? `/statuses/${button.value}/state` : "/live/notice");
  if (button.name) body.set(button.name, button.value);
  const takeBack = showEffect(button, form);
  let answer;
  try {
    answer = await send(button, action, body);
  } catch (error) {
    takeBack();
    say(`Not saved. ${isUnanswered(error) ? "Try again" : error.message}.`);
    return;
  }
  if (!answer) {
    takeBack();
    normalSubmits.add(button);
    if (form.requestSubmit) form.requestSubmit(button);
    else location.reload();
  } else if (answer.buttons) showState(button, answer);
  else if (answer.isDeleted) showDeleted(button.closest(".status"));
  else if (answer.notice) {
    const undo = () => (button.isConnected ? button : document.querySelector(".profile-head form button"))?.click();
    say(answer.notice, isUnfollow || button.name === "unmute" ? undo : null);
    if (showEffect === pressFollow) showFollow(form);
  }
}

/** Loads what depends on a follow: the other parts of a profile, and the first posts of a home. */
async function showFollow(form) {
  const isProfile = form.closest(".profile-head");
  const empty = document.querySelector(".column > .empty");
  if (!isProfile && !empty) return;
  const page = await loadPage(location.href).catch(() => null);
  if (!page) return;
  if (isProfile) showProfile(page, form.contains(document.activeElement));
  else showFirstPosts(page.querySelector(".column"), empty);
  document.dispatchEvent(new Event("statuseschange"));
  document.dispatchEvent(new Event("watchchange"));
}

/** A private account shows or hides its posts with the follow. Otherwise they stay as they are. */
function showProfile(page, hadFocus) {
  const [own, fresh] = [document, page].map((each) => each.querySelector("main"));
  const [before, after] = [own, fresh].map((each) => each.querySelector(":scope > .empty") !== null);
  if (before !== after) own.replaceChildren(...fresh.childNodes);
  else own.querySelector(".profile").replaceWith(fresh.querySelector(".profile"));
  if (hadFocus) own.querySelector(".profile-head form button")?.focus({ preventScroll: true });
}

/** Puts the posts below the suggestions, which stay as they are. */
function showFirstPosts(fresh, empty) {
  const column = empty.parentNode;
  if (!fresh || fresh.querySelector(":scope > .empty")) return;
  empty.remove();
  column.append(...[...fresh.children].filter((part) => !part.matches("h1, .compose, .panel")));
  column.dataset.since = fresh.dataset.since;
}

function pressKind(form, button) {
  if (isOfStatuses(form) && button?.hasAttribute("aria-pressed")) return pressToggle;
  if (button?.name === "vote") return pressVote;
  if (hidesMuted && ["mute", "unmute"].includes(button?.name)) return pressMute;
  const isFollow = form.matches("form.follow") || ["follow", "unfollow"].includes(button?.name);
  return isFollow ? pressFollow : null;
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  const showEffect = pressKind(form, button);
  if (!showEffect || normalSubmits.delete(button)) return;
  event.preventDefault();
  if (pendingPresses.has(button)) return;
  pendingPresses.add(button);
  say("");
  closeMenus();
  press(button, form, showEffect).finally(() => pendingPresses.delete(button));
});

// --- A reply is written under its post. Its form is that of the page of the post. If the site refuses the
//     reply, the form is submitted normally, with the same idempotency key.

let replyForm = null;

/** Gives the form's fields other ids, because the page can have a form with the same ones. */
function renameIds(form, prefix) {
  for (const attribute of ["id", "for", "aria-describedby"]) {
    for (const part of form.querySelectorAll(`[${attribute}]`)) {
      const names = part.getAttribute(attribute).split(" ");
      part.setAttribute(attribute, names.map((name) => prefix + name).join(" "));
    }
  }
}

async function openReply(link, status) {
  const line = loadingLine();
  const footer = status.querySelector(":scope > .status-body > footer");
  footer.after(line);
  try {
    const page = await loadPage(link.href);
    replyForm?.remove();
    replyForm = document.adoptNode(page.querySelector("#reply [data-compose]"));
    replyForm.classList.remove("sheet");
    replyForm.classList.add("inline-reply");
    renameIds(replyForm, "reply-");
    footer.after(replyForm);
    attachCompose(replyForm);
    replyForm.elements.message.focus();
  } catch (error) {
    if (isUnanswered(error)) say(NOT_LOADED);
    else location.assign(link.href);
  }
  line.remove();
}

/** Counts one more reply beside the icon. */
function addToCount(link) {
  showCount(link, (Number(countOf(link).replaceAll(",", "")) + 1).toLocaleString("en"));
}

/** Sends the reply and stays on the page. */
async function sendReply(form, button, status) {
  button.disabled = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, { method: "POST", body, signal: AbortSignal.timeout?.(PRESS_MS) });
    if (response.ok && response.redirected) {
      const page = new DOMParser().parseFromString(await response.text().catch(() => ""), "text/html");
      deleteDrafts((key) => key === draftKey(form));
      form.remove();
      const link = status.querySelector(":scope > .status-body > footer > .reply");
      addToCount(link);
      link.focus();
      say("Posted.");
      // An open conversation shows it (newer.js).
      document.dispatchEvent(new CustomEvent("replied", { detail: { page, to: status.id } }));
      return;
    }
    if (response.status < 500) {
      button.disabled = false;
      normalSubmits.add(button);
      form.requestSubmit(button);
      return;
    }
  } catch {
    // The text is still in the form.
  }
  button.disabled = false;
  say(NOT_SENT);
}

// The other scripts have no place for a sentence of their own.
document.addEventListener("say", ({ detail }) => say(detail));

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".status footer > .reply");
  if (!link || !isPlain(event) || !login || link.pathname === location.pathname) return;
  event.preventDefault();
  const status = link.closest(".status");
  const open = status.querySelector(":scope > .status-body > .inline-reply");
  if (open) closeReply(open);
  else if (!status.querySelector(":scope > .status-body > .loading")) openReply(link, status);
});

/** Closes the form. Its draft stays. */
function closeReply(form) {
  const status = form.closest(".status");
  form.remove();
  status.querySelector(":scope > .status-body > footer > .reply").focus();
}

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.(".inline-reply");
  if (form && event.key === "Escape" && !event.defaultPrevented) closeReply(form);
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (!form.matches(".inline-reply") || button?.name === "extras" || normalSubmits.delete(button)) return;
  event.preventDefault();
  if (!button?.disabled) sendReply(form, button ?? form.querySelector(SEND_BUTTON), form.closest(".status"));
  // In the capture phase: the form around the feed does not pass on the event of a form inside it.
}, true);

// --- A form is sent once. Its button is unlocked when the page returns from the browser's cache.

const sentForms = new Set();

function unlock(form) {
  sentForms.delete(form);
  form.querySelectorAll(SEND_BUTTON).forEach((button) => button.removeAttribute("disabled"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented) return;
  if (!navigator.onLine) {
    // The browser would show an error in the place of the page.
    event.preventDefault();
    say(NOT_SENT);
    return;
  }
  if (sentForms.has(form)) {
    event.preventDefault();
    return;
  }
  sentForms.add(form);
  setTimeout(() => form.querySelector(SEND_BUTTON)?.setAttribute("disabled", ""));
  setTimeout(unlock, UNLOCK_AFTER_MS, form);
});

window.addEventListener("pageshow", () => sentForms.forEach(unlock));

// --- Asks before deleting, without leaving the page. The dialog is not in the page until it is needed.

const DELETE_DIALOG = `
  <dialog aria-labelledby="confirm-delete-title">
    <form method="post">
      <h2 id="confirm-delete-title">Delete this post?</h2>
      <blockquote></blockquote>
      <p>It disappears from every timeline. This cannot be undone.</p>
      <input type="hidden" name="csrf_token">
      <input type="hidden" name="next">
      <div class="actions">
        <button class="secondary" type="button" data-close>Cancel</button>
        <button class="danger" type="submit">Delete</button>
      </div>
    </form>
  </dialog>`;
let dialog = null;
/** The post that the dialog is about. */
let statusToDelete = null;

/** Deletes a post of a timeline. Its card disappears at once, and comes back if the site does not confirm it. */
async function deleteInPlace(form, card) {
  const body = new URLSearchParams(new FormData(form));
  body.set("next", "/live/notice");
  dialog.close();
  say("");
  const show = hideCards([card]);
  try {
    const answer = await send(form, form.action, body);
    if (answer?.notice) {
      card.remove();
      say(answer.notice);
      return;
    }
    // The page of the deletion says why.
    location.assign(form.action);
  } catch (error) {
    show();
    say(`Not saved. ${isUnanswered(error) ? "Try again" : error.message}.`);
  }
}

function makeDialog() {
  const made = document.createRange().createContextualFragment(DELETE_DIALOG).firstElementChild;
  made.querySelector("form").addEventListener("submit", (event) => {
    // The page says what an empty timeline means.
    if (!statusToDelete?.closest(".feed") || document.querySelectorAll(".feed .status:not([hidden])").length < 2) return;
    event.preventDefault();
    deleteInPlace(event.target, statusToDelete);
  });
  made.addEventListener("click", (event) => {
    if (event.target === made || event.target.closest("[data-close]")) made.close();
  });
  document.body.append(made);
  return made;
}

/** Returns the text of a post. A post behind a warning is named by its warning. */
function excerpt(status) {
  const hidden = status.querySelector(".warned:not([open]) > summary");
  return (hidden ?? status.querySelector(".e-content")).innerText.trim();
}

if ("HTMLDialogElement" in window) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.delete");
    if (!link || !isPlain(event)) return;
    event.preventDefault();
    dialog ??= makeDialog();
    const form = dialog.querySelector("form");
    form.action = link.pathname;
    form.elements.csrf_token.value = document.querySelector("[name=csrf_token]").value;
    form.elements.next.value = location.pathname + location.search;
    statusToDelete = link.closest(".status");
    dialog.querySelector("blockquote").textContent = excerpt(statusToDelete ?? document.querySelector(".status"));
    dialog.showModal();
    dialog.querySelector("[data-close]").focus();
  });
}

// --- A card opens its post. Links, buttons and selected text keep their meaning.

document.addEventListener("click", (event) => {
  const card = event.target.closest?.(".status");
  const link = card?.querySelector(".status-body > header .time");
  if (!link || !isPlain(event) || event.defaultPrevented || link.pathname === location.pathname) return;
  if (event.target.closest("a, button, .compose, input, label, summary, fieldset, .poll, .quoted")) return;
  if (getSelection().isCollapsed) link.click();
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

/** Offers to repost or to quote. */
function makeRepostMenu(button) {
  const { items } = makeMenu(button);
  const { quotes } = button.dataset;
  button.textContent = button.name === "unrepost" ? "Undo repost" : "Repost";
  items.append(button);
  if (quotes === "none") return;
  const quote = document.createElement("a");
  quote.className = "quote";
  quote.href = `/statuses/${button.value}/quote`;
  quote.textContent = "Quote";
  if (quotes) showCount(quote, quotes);
  items.append(quote);
}

function makeMoreMenu(link) {
  const { menu } = makeMenu(link);
  menu.className = "dots";
  menu.dataset.page = link.pathname;
}

/** Loads the items of a menu from its page. */
async function loadMenu(menu) {
  const { page: path } = menu.dataset;
  delete menu.dataset.page;
  const items = menu.querySelector("div");
  items.replaceChildren(loadingLine());
  try {
    const page = await loadPage(path);
    const loaded = document.adoptNode(page.querySelector(".post-menu"));
    loaded.querySelector(".quote")?.remove();
    items.replaceChildren(...loaded.children);
    showMenu(menu);
  } catch (error) {
    if (!isUnanswered(error)) {
      location.assign(path);
      return;
    }
    items.replaceChildren();
    menu.dataset.page = path;
    menu.open = false;
    say(NOT_LOADED);
  }
}

function makeMenus() {
  document.querySelectorAll(".status footer > button:not([aria-pressed])").forEach((button) => button.setAttribute("aria-pressed", "false"));
  document.querySelectorAll('.status footer > [name$="repost"]').forEach(makeRepostMenu);
  document.querySelectorAll(".status footer > a.dots").forEach(makeMoreMenu);
}

makeMenus();
document.addEventListener("statuseschange", makeMenus);

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
document.addEventListener("click", ({ target }) => closeMenus(target));
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
  const part = target.closest?.(".status footer > :is(a, button), .status footer summary");
  const words = [...(part?.childNodes ?? [])].find((node) => node.nodeType === Node.TEXT_NODE);
  if (words && !part.matches(".meta")) part.title = words.data.trim();
});

// --- A link of the search tips adds its operator to the search box.

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

// --- Updates relative times while the page is open, and shows full times in the reader's time zone.

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const dayYearFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clockFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const fullFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

function shortTime(then, now) {
  const age = Math.max(0, now - then);
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return (then.getFullYear() === now.getFullYear() ? dayFormat : dayYearFormat).format(then);
}

function refreshTimes() {
  const now = new Date();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const then = new Date(time.dateTime);
    if (Number.isNaN(then.valueOf())) continue;
    const age = shortTime(then, now);
    if ("full" in time.dataset) time.textContent = fullFormat.format(then);
    else if ("clock" in time.dataset) time.textContent = clockFormat.format(then);
    else time.textContent = "ago" in time.dataset && / (min|h)$/.test(age) ? `${age} ago` : age;
    time.title = fullFormat.format(then);
  }
}

refreshTimes();
setInterval(refreshTimes, MINUTE_MS);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refreshTimes(); });
document.addEventListener("statuseschange", refreshTimes);
