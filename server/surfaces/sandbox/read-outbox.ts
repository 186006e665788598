import type { InputOf } from '../../base/contract/endpoint'
import { html, type Markup } from '../../base/contract/html'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { readMessages } from '../../shared/notifications'
import type { readOutboxEndpoint } from './contract'
import { page, pageHeaders, prefersJson } from './page'

const MESSAGES_MAX = 200

const channelNames = { email: 'E-mail', rcs: 'RCS', push: 'Push' } as const

type SentMessage = Awaited<ReturnType<typeof readMessages>>[number]

/** Returns the messages that the service has written, newest first: the inbox of every person in the sandbox. */
export async function readOutbox(
  { platform }: AnonymousCall,
  input: InputOf<typeof readOutboxEndpoint>,
): Promise<Reply> {
  const rows = await readMessages(platform, MESSAGES_MAX)
  if (prefersJson(input.headers.accept)) return Reply.json({ messages: rows.map(toWire) }, { vary: 'accept' })
  const text = page('Outbox', renderOutbox(rows))
  return Reply.text(text, 'text/html; charset=utf-8', { headers: pageHeaders })
}

function toWire({ id, channel, to, subject, text, links, data, createdAt }: SentMessage) {
  return {
    id,
    channel,
    to,
    ...(subject !== null && { subject }),
    text,
    links,
    ...(data !== null && { data }),
    created_at: createdAt.toISOString(),
  }
}

function renderOutbox(rows: readonly SentMessage[]): Markup {
  const list = rows.length === 0 ? html`<p>No messages yet.</p>` : html`<ul>${rows.map(renderMessage)}</ul>`
  return html`<h1>Outbox</h1>
<p class="muted">What the service writes to people, newest first. <a href="/sandbox/outbox">Look again</a></p>
${list}`
}

function renderMessage(row: SentMessage): Markup {
  const sentAt = row.createdAt.toISOString()
  return html`<li>
<div class="row"><h2>${row.subject ?? 'Message'}</h2><time class="muted" datetime="${sentAt}">${readableTime(sentAt)}</time></div>
<p class="muted">${channelNames[row.channel]} to ${row.to}</p>
<p class="text">${row.text}</p>
${row.links.length === 0 ? html`` : html`<ul>${row.links.map(renderLink)}</ul>`}
</li>`
}

function readableTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** Renders a link. Only web addresses become clickable: a message may contain text of strangers. */
function renderLink(link: string): Markup {
  if (!/^https?:\/\//i.test(link)) return html`<li><code>${link}</code></li>`
  return html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`
}
