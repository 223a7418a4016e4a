// Drafts are stored in this tab under the member's login, until log-out.
// A draft is deleted only when the server confirms the post, because a response may be lost.
// A page without a login does not delete drafts: the server may not know the viewer yet.

/** Returns whether a form changes a post. */
function isEdit(form) {
  return /^\/statuses\/\d+\/edit$/.test(new URL(form.action).pathname);
}

/** Returns the storage key of the draft of a new conversation: one for each person that a profile leads to. A form that
    was given back has the key under which it was sent. If it has the text of another form, it has a key of its own. */
function newMessageKey(form) {
  const key = `draft:${login}:${new URL(form.action).pathname}`;
  const isRetained = form.closest(".retained");
  const sentKey = (isRetained || form.querySelector("[aria-invalid]")) && sentDraftKey();
  if (sentKey?.startsWith(key)) return sentKey;
  if (isRetained) return `${key}?returned`;
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
  // The text of an edit of a deleted post does not replace the draft of another new post.
  if (form.elements.edit_of && !replyTo) return `draft:${login}:edit_of:${form.elements.edit_of.value}`;
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

/** Returns the fields that a person fills in. Hidden fields and buttons belong to the page. */
function typedFields(form) {
  return [...form.elements].filter((field) => field.name && !field.matches("[type=hidden], button"));
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
    const isChosen = extras.matches(".reply-control") && (extras.querySelector("select").selectedIndex > 0 || extras.querySelector(":checked:not(option)"));
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
    reload, another text has the key of the new page, because it is another post. The form of another account has no
    draft: it would be stored for this one. */
function attachDraft(form, showRestored) {
  if (!login || form.closest("[data-other-account]")) return;
  // Beside older messages, a sent message does not appear, and its draft would stay.
  if (form.matches(".message-form") && !form.elements.people && !document.querySelector("[data-chat]")) return;
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
      // The edit of a deleted post is a new post now.
      const editOf = form.elements.edit_of?.value;
      if (editOf) deleteDrafts((key) => key === `draft:${login}:/statuses/${editOf}/edit`);
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
    return texts.some(([name, value]) => !["hours", "repliers", "visibility", "people"].includes(name) && typeof value === "string" && value.trim());
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
  const { target: form } = event;
  if (!reachedForms.has(form) && hasDraft() && !confirm("Log out? Your draft will be deleted.")) event.preventDefault();
  else if (isSubmittedNow(form) && navigator.onLine) deleteDrafts(() => true);
});
