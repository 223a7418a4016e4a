// The form to post, and the form to edit a post.

const growsByItself = CSS.supports("field-sizing", "content");

/** Gives a box the height of its text, in a browser that does not do so by itself. */
function grow(box) {
  if (growsByItself) return;
  const { scrollX, scrollY } = window;
  box.style.blockSize = "0";
  box.style.blockSize = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
  scrollTo(scrollX, scrollY);
}

function attachCompose(form) {
  const message = fieldOf(form, "message");
  // The counter is that of the post that is being written.
  let current = message;
  const counter = form.querySelector("[data-limit]");
  const announcement = form.querySelector("[data-announcement]");
  const limit = Number(counter.dataset.limit);
  let announceTimer = 0;

  // People with a keyboard read how to send what they write.
  const hint = () => (current.value && !isFrozen(form) && matchMedia("(hover: hover) and (min-width: 30rem)").matches ? "Ctrl+Enter to send" : "");

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
    form.querySelectorAll("textarea").forEach(grow);
    if (message.value) addPreviewButton(form);
  };
  if (form.elements.idempotency_key || isEdit(form)) attachDraft(form, showText);
  updateCounter();
  form.querySelectorAll("textarea").forEach(grow);
  for (const kind of ["input", "focusin"]) {
    form.addEventListener(kind, ({ target }) => {
      if (target.type !== "textarea") return;
      current = target;
      updateCounter();
      grow(target);
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

// --- "Compose" leads to the form of the page. A page without one opens it in a dialog.

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.(".compose-link");
  if (!link || !isPlain(event) || !login) return;
  event.preventDefault();
  const forms = [...document.querySelectorAll('.compose[action="/statuses"]')];
  const isForNewPosts = (form) => !fieldOf(form, "reply_to") && fieldOf(form, "visibility")?.type !== "hidden";
  const form = forms.find(isForNewPosts);
  if (form) {
    fieldOf(form, "message").focus();
    return;
  }
  const importing = import("composer.js").catch(() => null);
  let page = null;
  try {
    page = await loadPage(link.pathname);
  } catch (error) {
    if (isUnanswered(error)) {
      say(NOT_LOADED);
      return;
    }
  }
  const loaded = page?.querySelector("[data-compose]");
  const composer = await importing;
  // After an upgrade of the site, an open page can ask for a file that is gone.
  if (!loaded || !composer || !("HTMLDialogElement" in window)) {
    location.assign(link.href);
    return;
  }
  renameIds(document.adoptNode(loaded), "new-");
  composer.openComposer(loaded);
  attachCompose(loaded);
  fieldOf(loaded, "message").focus();
});

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
    const { showPreview } = await loadScript("preview.js");
    showPreview(button, say);
  } catch (error) {
    if (error instanceof OutdatedError) sayNotLoaded(error);
    else say("The preview could not be loaded. Try again.");
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
  const [response, text] = await request(form.action, { method: "POST", body });
  const page = new DOMParser().parseFromString(text, "text/html");
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
  button.setAttribute("aria-busy", "true");
  try {
    if (button.matches(".add-post")) {
      const { addPost } = await loadScript("thread.js");
      addPost(form).focus();
      return;
    }
    await loadExtras(form);
    const part = form.querySelector(`details[data-extras=${button.value}]`);
    part.open = true;
    part.querySelector("summary").focus();
  } catch (error) {
    if (!sayNotLoaded(error)) form.requestSubmit(button);
  } finally {
    button.removeAttribute("aria-busy");
  }
});
