import { randomUUID } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { sha256 } from '../crypto/keys.js'
import { isJsonObject } from '../json.js'
import { CONSENT_POLL_MAX_MS } from '../limits.js'
import type { Host, UrlAnswer } from '../payment/host.js'

/** What a host that opens pages says of itself with each request. */
const opensPages = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.object({ url: z.object({}) }) }),
})

type AskUrl = NonNullable<Host['askUrl']>

/** How one call asks the person to open a page: by a request beside the call, or by the call's own result. */
export interface UrlQuestions {
  /** Absent when the host cannot open pages. */
  readonly ask: AskUrl | undefined
  /** Ends the tool's wait once the question has to travel as the result. */
  readonly signal: AbortSignal
  /** The result that asks, when the tool has asked something that the host has not answered yet. */
  readonly pending: () => InputRequiredResult | undefined
}

/** The way of asking that belongs to the revision of this request. */
export function urlQuestionsOf(server: Server, context: ServerContext): UrlQuestions {
  const { envelope } = context.mcpReq
  if (envelope === undefined) return questionsByRequest(server, context)
  return opensPages.safeParse(envelope).success ? questionsByResult(context) : { ask: undefined, ...neverPending() }
}

const neverPending = () => ({ signal: new AbortController().signal, pending: () => undefined })

/** @see {@link https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation} */
function questionsByRequest(server: Server, { mcpReq }: ServerContext): UrlQuestions {
  const canOpen = server.getClientCapabilities()?.elicitation?.url !== undefined
  const ask: AskUrl = async ({ message, url }, signal) => {
    const elicitationId = randomUUID()
    const complete = server.createElicitationCompletionNotifier(elicitationId, { relatedRequestId: mcpReq.id })
    signal.addEventListener('abort', () => void complete().catch(() => undefined), { once: true })
    const question = { mode: 'url' as const, message, url, elicitationId }
    const { action } = await mcpReq.elicitInput(question, { signal, timeout: CONSENT_POLL_MAX_MS })
    return action
  }
  return { ask: canOpen ? ask : undefined, ...neverPending() }
}

/**
 * A server of this revision sends no requests. The question is the result of the call, and its answer comes with the
 * same call again, which goes on with the purchase that is kept on disk.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr}
 */
function questionsByResult({ mcpReq }: ServerContext): UrlQuestions {
  const asked = new AbortController()
  let result: InputRequiredResult | undefined
  return {
    signal: asked.signal,
    pending: () => result,
    async ask({ message, url }) {
      // The answer to one page says nothing about another.
      const key = `open-${sha256(url)}`
      const answer = readAnswer(mcpReq.inputResponses?.[key])
      if (answer !== undefined) return answer
      result = inputRequired({ inputRequests: { [key]: inputRequired.elicitUrl({ message, url }) } })
      asked.abort()
      return 'unavailable'
    },
  }
}

function readAnswer(response: unknown): UrlAnswer | undefined {
  const action = isJsonObject(response) ? response['action'] : undefined
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined
}
