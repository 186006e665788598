import type { InputOf } from '../contract/endpoint'
import { Reply } from '../contract/reply'
import type { AnonymousCall } from '../core/call'
import type { readOutboxEndpoint } from './contract'
import { html, type Markup, page, pageHeaders, prefersJson } from './html'

const MESSAGES_MAX = 200
const REFRESH_SECONDS = 10

interface MessageRow {
  readonly id: string
  readonly channel: 'email' | 'rcs'
  readonly recipient: string
  readonly subject: string | null
  readonly text: string
  readonly links: string[]
  readonly data: Record<string, unknown> | null
  readonly created_at: Date
}

/** The messages that the service has written, the newest first: the inbox of everybody in the sandbox. */
export async function readOutbox(
  { platform }: AnonymousCall,
  input: InputOf<typeof readOutboxEndpoint>,
): Promise<Reply> {
  const rows = await platform.db.query<MessageRow>(
    `SELECT id, channel, recipient, subject, text, links, data, created_at
       FROM messages ORDER BY created_at DESC, id LIMIT ${MESSAGES_MAX}`,
  )
  if (prefersJson(input.headers.accept)) return Reply.json({ messages: rows.map(toWire) }, { vary: 'accept' })
  const text = page('Outbox', renderOutbox(rows), { refreshSeconds: REFRESH_SECONDS })
  return Reply.text(text, 'text/html; charset=utf-8', { headers: pageHeaders })
}

function toWire(row: MessageRow) {
  const { id, channel, recipient, subject, text, links, data, created_at } = row
  return {
    id,
    channel,
    to: recipient,
    ...(subject !== null && { subject }),
    text,
    links,
    ...(data !== null && { data }),
    created_at: created_at.toISOString(),
  }
}

function renderOutbox(rows: readonly MessageRow[]): Markup {
  const list = rows.length === 0 ? html`<p>No messages yet.</p>` : html`<ul>${rows.map(renderMessage)}</ul>`
  return html`<h1>Outbox</h1>
<p class="muted">What the service writes to people. New messages appear by themselves.</p>
${list}`
}

function renderMessage(row: MessageRow): Markup {
  const sentAt = row.created_at.toISOString()
  return html`<li>
<div class="row"><h2>${row.subject ?? 'Message'}</h2><time class="muted" datetime="${sentAt}">${readableTime(sentAt)}</time></div>
<p class="muted">${row.channel === 'email' ? 'E-mail' : 'RCS'} to ${row.recipient}</p>
<p class="text">${row.text}</p>
${row.links.length === 0 ? html`` : html`<ul>${row.links.map(renderLink)}</ul>`}
</li>`
}

function readableTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** Only web addresses become links: a message holds words of strangers. */
function renderLink(link: string): Markup {
  if (!/^https?:\/\//i.test(link)) return html`<li><code>${link}</code></li>`
  return html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`
}
