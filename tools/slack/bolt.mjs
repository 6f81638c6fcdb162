// A small app made with Slack's own framework, to be run against our fake Slack: what
// satisfies this client is what Slack does. It tells of everything that reaches it as
// one line of JSON; internal/fakeslack/bolt_test.go drives it.
//
//	MODE=socket|http SLACK_API_URL=… SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=… | SLACK_SIGNING_SECRET=… node bolt.mjs
import bolt from "@slack/bolt";

const env = process.env;
const tell = (what, more = {}) => console.log(JSON.stringify({ what, ...more }));

const socket = env.MODE === "socket";
const clientOptions = { slackApiUrl: env.SLACK_API_URL };
const app = new bolt.App({
  token: env.SLACK_BOT_TOKEN,
  clientOptions,
  logLevel: "error",
  ...(socket
    ? { receiver: new bolt.SocketModeReceiver({ appToken: env.SLACK_APP_TOKEN, installerOptions: { clientOptions }, logLevel: "error" }) }
    : { receiver: new bolt.HTTPReceiver({ signingSecret: env.SLACK_SIGNING_SECRET, logLevel: "error" }) }),
});

const button = { type: "actions", block_id: "b", elements: [{ type: "button", action_id: "go", value: "7", text: { type: "plain_text", text: "Go" } }] };
const plain = (text) => ({ type: "plain_text", text });

app.event("app_mention", async ({ event, say, client, context }) => {
  tell("app_mention", { text: event.text, ts: event.ts });
  if (event.text.includes("stream")) {
    const at = { channel: event.channel, thread_ts: event.thread_ts ?? event.ts };
    const started = await client.chat.startStream({
      ...at, recipient_user_id: event.user, recipient_team_id: context.teamId,
      chunks: [{ type: "task_update", id: "1", title: "Look", status: "in_progress" }],
    });
    await client.chat.appendStream({ channel: event.channel, ts: started.ts, chunks: [{ type: "markdown_text", text: "**found** " }] });
    await client.chat.stopStream({ channel: event.channel, ts: started.ts, chunks: [{ type: "markdown_text", text: "it" }] });
    tell("streamed", { ts: started.ts });
    return;
  }
  const said = await say({ thread_ts: event.thread_ts ?? event.ts, text: "a button", blocks: [button] });
  tell("said", { ts: said.ts });
});
app.message(async ({ message }) => tell("message", { subtype: message.subtype, text: message.text, ts: message.ts, channel_type: message.channel_type }));
app.event("reaction_added", async ({ event }) => tell("reaction_added", { reaction: event.reaction }));
app.event("agent_session_stopped", async ({ event }) => tell("agent_session_stopped", { thread: event.thread_ts }));
app.event("app_home_opened", async ({ event, client }) => {
  tell("app_home_opened", { user: event.user });
  if (event.tab !== "home") return;
  await client.views.publish({ user_id: event.user, view: { type: "home", blocks: [button] } });
  tell("published");
});
app.action("go", async ({ ack, action, body, respond }) => {
  await ack();
  tell("action", { value: action.value, user: body.user.id, container: body.container?.type ?? body.view?.type });
  if (body.response_url) {
    await respond({ text: "pressed", replace_original: false, response_type: "ephemeral" });
    tell("responded");
  }
});
app.command("/hermes", async ({ command, ack, respond }) => {
  await ack("on it");
  await respond({ text: `you said ${command.text}` });
  tell("command", { text: command.text });
});
app.shortcut("ask_about_message", async ({ shortcut, ack, client }) => {
  await ack();
  const opened = await client.views.open({
    trigger_id: shortcut.trigger_id,
    view: {
      type: "modal", callback_id: "ask", title: plain("Ask"), submit: plain("Send"),
      blocks: [{ type: "input", block_id: "q", label: plain("Question"), element: { type: "plain_text_input", action_id: "text" } }],
    },
  });
  tell("shortcut", { message: shortcut.message.text, view: opened.view.id });
});
app.view("ask", async ({ ack, view }) => {
  const text = view.state.values.q.text.value;
  if (text === "bad") {
    await ack({ response_action: "errors", errors: { q: "not this" } });
  } else {
    await ack();
  }
  tell("view", { text });
});
app.error(async (error) => tell("error", { message: String(error?.message ?? error) }));

if (socket) {
  await app.start();
  tell("ready");
} else {
  const server = await app.start({ port: 0, host: "127.0.0.1" });
  tell("ready", { port: server.address().port });
}
process.on("SIGTERM", async () => {
  await app.stop();
  process.exit(0);
});
