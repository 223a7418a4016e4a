// A press shows its effect at once: favourite, bookmark, repost, vote, follow. The answer brings only
// what changed. A press that the site did not get is taken back. After a refusal the form is submitted
// normally, and the error page explains the next step.

const pendingPresses = new Set();
const toast = document.querySelector(".toast");
let toastTimer = 0;

/** Shows a sentence above the page for a while, without moving it, and a button, by default to undo what it says. */
function say(sentence, act = null, label = "Undo") {
  clearTimeout(toastTimer);
  // An open dialog covers the page.
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (toast.parentNode !== place) place.append(toast);
  toast.textContent = sentence;
  if (act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small secondary";
    button.textContent = label;
    button.addEventListener("click", act);
    toast.append(" ", button);
  } else if (sentence) {
    toastTimer = setTimeout(say, TOAST_MS, "");
  }
}

/** Says why something was not loaded. Returns `false` if the site answered with another page, which explains it better. */
function sayNotLoaded(error) {
  const isOutdated = error instanceof OutdatedError;
  if (isOutdated) say(OUTDATED, () => location.reload(), "Reload");
  else if (isUnanswered(error)) say(NOT_LOADED);
  return isOutdated || isUnanswered(error);
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
  if (!count) number.remove();
  else if (!number.isConnected) part.append(" ", number);
}

/** Sets a button under a status to its state, and its action to the opposite. */
function setToggle(button, isPressed, count) {
  const action = button.name.replace(/^un/, "");
  button.name = isPressed ? `un${action}` : action;
  const isInMenu = button.matches(".status footer details *");
  // A repost button outside a menu opens one, so it is not pressed by itself.
  if (action === "repost" && !isInMenu && !isPressed) button.removeAttribute("aria-pressed");
  else button.setAttribute("aria-pressed", isPressed);
  if (action === "repost" && isInMenu) button.textContent = isPressed ? "Undo repost" : "Repost";
  showCount(countedPart(button), count);
}

/** Shows the card of an undone own repost as the post alone. Returns a function that takes that back. */
function hideRepost(button) {
  const card = button.closest(".status");
  const line = card.querySelector(`:scope > .reposted > [href="/@${login}"]`)?.parentNode;
  const menu = card.querySelector("footer > .dots");
  if (!line || !menu) return () => {};
  const path = `/statuses/${button.value}/menu`;
  const former = { href: menu.getAttribute("href"), page: menu.dataset.page };
  line.hidden = true;
  if (former.href) menu.setAttribute("href", path);
  if (former.page) menu.dataset.page = path;
  return () => {
    line.hidden = false;
    if (former.href) menu.setAttribute("href", former.href);
    if (former.page) menu.dataset.page = former.page;
  };
}

function pressToggle(button) {
  const wasPressed = button.getAttribute("aria-pressed") === "true";
  const count = countOf(countedPart(button));
  const next = Number(count.replaceAll(",", "")) + (wasPressed ? -1 : 1);
  const isCounted = !button.name.endsWith("bookmark");
  setToggle(button, !wasPressed, isCounted && next > 0 ? next.toLocaleString("en") : "");
  const showRepost = button.name === "repost" && wasPressed ? hideRepost(button) : () => {};
  return () => {
    setToggle(button, wasPressed, count);
    showRepost();
  };
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
  const [response, text] = await request(action, { method: "POST", body, keepalive: true });
  if (response.status >= 500) {
    // Only the page after the redirect failed.
    if (response.redirected) return {};
    const page = new DOMParser().parseFromString(text, "text/html");
    throw new Error(page.querySelector("h1")?.textContent ?? "Try again");
  }
  if (response.status === 404 && button.closest(".status")) return { isDeleted: true };
  return response.headers.get("content-type") === "application/json" ? JSON.parse(text) : null;
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
    if (form.requestSubmit) submitNormally(form, button);
    else location.reload();
  } else if (answer.buttons) showState(button, answer);
  else if (answer.isDeleted) showDeleted(button.closest(".status"));
  else if (answer.notice) {
    const undo = () => {
      const undone = button.isConnected ? button : document.querySelector(".profile-head form button");
      if (undone) undone.click();
      else say("This can be undone on the profile.");
    };
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
  column.append(...[...fresh.children].filter((part) => !part.matches("h1, .subtabs, .compose, .panel")));
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
  if (!showEffect || reachedForms.has(form)) return;
  event.preventDefault();
  if (pendingPresses.has(button)) return;
  pendingPresses.add(button);
  say("");
  closeMenus();
  press(button, form, showEffect).finally(() => pendingPresses.delete(button));
});
