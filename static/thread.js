// The boxes of a thread in the form to post. app.js loads this file with the first press of "Add another post", and to
// restore a draft. Without a script, the button shows the page of the form with one more box.

const MAX_POSTS = 10;

/** Adds an empty box behind the others and returns it. */
export function addPost(form) {
  const boxes = form.querySelectorAll("textarea");
  const number = boxes.length + 1;
  const box = document.createElement("textarea");
  box.name = `post_${number}`;
  box.rows = 3;
  box.placeholder = `Post ${number}`;
  box.setAttribute("aria-label", `Post ${number} of the thread`);
  box.dir = "auto";
  boxes[boxes.length - 1].after(box);
  form.querySelector(".add-post").hidden = number >= MAX_POSTS;
  return box;
}

/** Adds the boxes of a draft. */
export function addPosts(form, fields) {
  while (`post_${form.querySelectorAll("textarea").length + 1}` in fields) addPost(form);
}
