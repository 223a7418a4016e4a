// Profiles and conversations, read by an independent parser of microformats.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mf2 } from "microformats-parser";
import { startBrowser } from "./browser.js";
import { findPaths, logIn, startSite } from "./site.js";

let site;
let paths;

before(async () => {
  site = await startSite();
  const { context, stop } = await startBrowser();
  await logIn(context, site.origin);
  paths = await findPaths(context, site.origin);
  await stop();
});

after(() => site.stop());

/** Returns the path of a reply. */
async function findReply() {
  const { items } = await parse(`${paths.profile}/replies`);
  const { children } = items.find(hasType("h-feed"));
  const reply = children.find(({ properties }) => properties["in-reply-to"]);
  return new URL(reply.properties.url[0]).pathname;
}

/** Returns the items of a page as a visitor reads it. */
async function parse(path) {
  const answer = await fetch(site.origin + path);
  return mf2(await answer.text(), { baseUrl: site.origin + path });
}

const hasType = (type) => (item) => item.type.includes(type);

function assertAuthor(item, path) {
  const [{ type, properties }] = item.properties.author;
  assert.ok(type.includes("h-card"), path);
  assert.ok(properties.name[0], path);
  assert.match(properties.url[0], /^http:.*\/@\w+$/, path);
}

/** Checks what every status says: its author, its address without an anchor, its time and its text. */
function assertStatus(item, path) {
  assertAuthor(item, path);
  const { url, published, content, category } = item.properties;
  assert.match(url[0], /^http:.*\/@\w+\/\d+$/, path);
  assert.ok(!Number.isNaN(Date.parse(published[0])), path);
  assert.ok(content[0], path);
  for (const name of category ?? []) assert.match(name, /^[^#＃]+$/, path);
}

test("a profile is a feed with its author, and with reposts of others", async () => {
  const { items, rels } = await parse(paths.profile);
  const feed = items.find(hasType("h-feed"));
  assert.equal(feed.properties.url[0], site.origin + paths.profile);
  assert.deepEqual(rels.canonical, [site.origin + paths.profile]);
  assertAuthor(feed, paths.profile);
  const entries = feed.children.filter(hasType("h-entry"));
  assert.ok(entries.length > 5);
  const reposts = entries.filter(({ properties }) => properties["repost-of"]);
  assert.ok(reposts.length > 0);
  for (const repost of reposts) {
    assertAuthor(repost, "a repost");
    assert.equal(repost.properties.author[0].properties.url[0], site.origin + paths.profile);
    const [original] = repost.properties["repost-of"];
    assert.ok(hasType("h-cite")(original));
    assertStatus(original, "the original of a repost");
    assert.notEqual(original.properties.url[0], repost.properties.url[0]);
  }
  for (const entry of entries.filter((each) => !reposts.includes(each))) assertStatus(entry, paths.profile);
});

test("a reply is an entry below the posts that it cites", async () => {
  const path = await findReply();
  const { items, rels } = await parse(path);
  assert.deepEqual(rels.canonical, [site.origin + path]);
  const entries = items.filter(hasType("h-entry"));
  assert.equal(entries.length, 1);
  const [entry] = entries;
  assertStatus(entry, path);
  assert.equal(entry.properties.url[0], site.origin + path);
  const above = items.filter(hasType("h-cite"));
  for (const cite of above) assertStatus(cite, "a post above");
  const [answered] = entry.properties["in-reply-to"];
  assert.ok(above.some(({ properties }) => answered.startsWith(properties.url[0])));
});

test("the replies below a post are its comments", async () => {
  const reply = (await parse(await findReply())).items.find(hasType("h-entry"));
  const { pathname } = new URL(reply.properties["in-reply-to"][0]);
  const { items } = await parse(pathname);
  const [entry] = items.filter(hasType("h-entry"));
  assertStatus(entry, pathname);
  assert.ok(entry.properties.comment.length > 0);
  for (const comment of entry.properties.comment) assertStatus(comment, "a comment");
});
