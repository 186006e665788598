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

/** The capability that a host which can open pages sends with each request. */
const opensPages = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.object({ url: z.object({}) }) }),
})

type AskUrl = NonNullable<Host['askUrl']>

/** The way in which one call asks the person to open a page: by a separate request, or by the call's own result. */
export interface UrlQuestions {
  /** Asks the person; absent when the host cannot open pages. */
  readonly ask: AskUrl | undefined
  /** Aborts the tool's wait when the question must be sent as the result. */
  readonly signal: AbortSignal
  /** Returns the result that asks the question, when the tool has asked one that the host has not answered yet. */
  readonly pending: () => InputRequiredResult | undefined
}

/** Returns the way of asking in the protocol revision of this request. */
export function urlQuestionsOf(server: Server, context: ServerContext): UrlQuestions {
  const { envelope } = context.mcpReq
  if (envelope === undefined) return questionsByRequest(server, context)
  return opensPages.safeParse(envelope).success ? questionsByResult(context) : { ask: undefined, ...neverPending() }
}

const neverPending = () => ({ signal: new AbortController().signal, pending: () => undefined })

/** @see {@link https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation} */
function questionsByRequest(server: Server, { mcpReq }: ServerContext): UrlQuestions {
  const canOpen = server.getClientCapabilities()?.elicitation?.url !== undefined
  const ask: AskUrl = async ({ message, url, decided }, signal) => {
    const elicitationId = randomUUID()
    const complete = server.createElicitationCompletionNotifier(elicitationId, { relatedRequestId: mcpReq.id })
    decided.addEventListener('abort', () => void complete().catch(() => undefined), { once: true })
    const question = { mode: 'url' as const, message, url, elicitationId }
    const { action } = await mcpReq.elicitInput(question, { signal, timeout: CONSENT_POLL_MAX_MS })
    return action
  }
  return { ask: canOpen ? ask : undefined, ...neverPending() }
}

/**
 * Asks in a revision in which servers send no requests: the question is the result of the call, and the host repeats
 * the call with the answer, which continues the purchase stored on disk.
 * @see {@link https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr}
 */
function questionsByResult({ mcpReq }: ServerContext): UrlQuestions {
  const asked = new AbortController()
  let result: InputRequiredResult | undefined
  return {
    signal: asked.signal,
    pending: () => result,
    async ask({ message, url }) {
      // The answer about one page does not count for another.
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
