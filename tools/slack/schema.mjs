// Makes schema/requests.json: for every method that we call, what Slack's own
// packages say its arguments are. Their types give the shapes, and the prose of
// their comments the limits, which no type can say.
//
//	node schema.mjs [directory] [--limits]
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createFormatter, createParser, createProgram, SchemaGenerator } from "ts-json-schema-generator";
import ts from "typescript";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv.slice(2).find((a) => !a.startsWith("-")) ?? join(here, "schema"));

// The methods that the daemon may call. One that is not here is a violation.
const methods = [
  "apps.connections.open", "auth.test", "bots.info", "team.info",
  "agents.sessions.rename", "agents.sessions.setStatus",
  "assistant.threads.setStatus", "assistant.threads.setSuggestedPrompts", "assistant.threads.setTitle",
  "chat.appendStream", "chat.delete", "chat.getPermalink", "chat.postEphemeral", "chat.postMessage",
  "chat.startStream", "chat.stopStream", "chat.update",
  "conversations.history", "conversations.info", "conversations.list", "conversations.members",
  "conversations.open", "conversations.replies",
  "files.completeUploadExternal", "files.delete", "files.getUploadURLExternal", "files.info",
  "reactions.add", "reactions.remove",
  "usergroups.list", "usergroups.users.list",
  "users.conversations", "users.info", "users.list",
  "views.open", "views.publish", "views.push", "views.update",
];

// argumentsOf finds, in the class that lists all methods, the type of a method's
// arguments.
function argumentsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found = new Map();
  const members = (node, path) => {
    for (const m of node.members ?? []) {
      if (!m.name || !m.type) continue;
      const name = [...path, m.name.getText(source)];
      if (ts.isTypeLiteralNode(m.type)) {
        members(m.type, name);
      } else if (ts.isTypeReferenceNode(m.type) && /^MethodWith(Required|Optional)Argument$/.test(m.type.typeName.getText(source))) {
        found.set(name.join("."), m.type.typeArguments[0].getText(source));
      }
    }
  };
  source.forEachChild((n) => {
    if (ts.isClassDeclaration(n) && n.name?.text === "Methods") members(n, []);
  });
  return found;
}

// limits reads the comments of the properties in Slack's declarations: "Maximum
// length for this field is 255 characters", "Maximum of 25 elements".
function limits(dir) {
  const own = new Map(); // type name -> property -> {maxLength, minLength, maxItems}
  const parents = new Map(); // type name -> those that it extends
  const files = (d) => readdirSync(d, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? files(join(d, e.name)) : e.name.endsWith(".d.ts") ? [join(d, e.name)] : []);
  const number = (s) => Number(s.replaceAll(",", ""));
  for (const file of files(dir)) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node, owner) => {
      if (ts.isInterfaceDeclaration(node)) {
        owner = node.name.text;
        parents.set(owner, (node.heritageClauses ?? []).flatMap((h) => h.types.map((t) => t.expression.getText(source))));
      }
      if (ts.isPropertySignature(node) && owner) {
        const text = (ts.getJSDocCommentsAndTags(node) ?? []).map((d) => d.getText(source)).join(" ").replace(/\s*\n\s*\*\s*/g, " ");
        const limit = {};
        const length = text.match(/(?:maximum|max\.?|limit)[^.]*?([\d,]+) (?:unicode )?characters/i) ?? text.match(/(?:can't|cannot|not) exceed ([\d,]+) characters/i);
        if (length) limit.maxLength = number(length[1]);
        const items = text.match(/(?:maximum|up to)(?: number)?(?: of)? ([\d,]+) (?:\w+ )?(?:items|elements|options|blocks|rows|columns|cards|cells|groups)/i)
          ?? text.match(/maximum number of (?:items|options|option groups|elements) is ([\d,]+)/i);
        if (items) limit.maxItems = number(items[1]);
        if (/minimum length (?:for[^.]*)?is 1\b/i.test(text)) limit.minLength = 1;
        if (Object.keys(limit).length) {
          if (!own.has(owner)) own.set(owner, new Map());
          own.get(owner).set(node.name.getText(source), limit);
        }
      }
      ts.forEachChild(node, (n) => visit(n, owner));
    };
    visit(source);
  }
  const inherited = (name, seen = new Set()) => {
    if (seen.has(name)) return [];
    seen.add(name);
    return [...(parents.get(name) ?? []).flatMap((p) => inherited(p, seen)), ...(own.get(name) ?? [])];
  };
  return new Map([...parents.keys()].map((name) => [name, new Map(inherited(name))]));
}

const api = join(here, "node_modules/@slack/web-api/dist");
const types = argumentsOf(join(api, "methods.d.ts"));
const missing = methods.filter((m) => !types.has(m));
if (missing.length) throw new Error(`not among the methods of @slack/web-api: ${missing.join(", ")}`);

mkdirSync(out, { recursive: true });
const entry = join(here, "schema.entry.ts");
// Slack's packages use one name for several types, so each method has definitions of
// its own.
const nameOf = (m) => m.replaceAll(".", "_");
writeFileSync(entry, `import type * as web from "@slack/web-api";\n` +
  methods.map((m) => `export type ${nameOf(m)} = web.${types.get(m)};\n`).join(""));
const config = { path: entry, skipTypeCheck: true, expose: "export", topRef: true, jsDoc: "none", additionalProperties: false };
const program = createProgram(config);
const requests = {};
for (const m of methods) {
  const generator = new SchemaGenerator(program, createParser(program, config), createFormatter(config), config);
  requests[m] = generator.createSchema(nameOf(m));
}

const mined = new Set();
const known = new Map([...limits(join(here, "node_modules/@slack/types/dist")), ...limits(join(api, "types/request"))]);
for (const schema of Object.values(requests)) {
  for (const [name, definition] of Object.entries(schema.definitions)) {
    for (const [property, limit] of known.get(name) ?? []) {
      const p = definition.properties?.[property];
      if (!p) continue;
      const { maxItems, ...length } = limit;
      if (Object.keys(length).length) {
        // A limit of an object, or of a list of objects, is that of the texts.
        const text = { ...length, properties: { text: length }, items: { properties: { text: length } } };
        definition.properties[property] = { allOf: [p, text] };
        mined.add(`${name}.${property} ${length.minLength ?? 0}..${length.maxLength ?? ""}`);
      }
      if (maxItems && p.type === "array") {
        p.maxItems = maxItems;
        mined.add(`${name}.${property} ${maxItems} items`);
      }
    }
  }
}
writeFileSync(join(out, "requests.json"), JSON.stringify(requests));
if (process.argv.includes("--limits")) console.log([...mined].sort().join("\n"));
console.log(`${methods.length} methods, ${mined.size} limits`);
