import { ServiceError } from '../../base/core/errors'
import { isJsonObject, type JsonObject, parseJsonValue } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { PRESENTATIONS_MAX } from '../../base/protocol/lifetimes'
import type { PresentationToVerify } from './verify-presentations'

/** The formats that a descriptor may name: the current one, and its earlier name. */
const FORMATS = ['dc+sd-jwt', 'vc+sd-jwt']
/** OpenID4VP 1.0 section 6.1: letters, digits, underscore and hyphen. */
const QUERY_ID = /^[\w-]{1,256}$/
const ARRAY_PATH = /^\$\[(0|[1-9]\d?)\]$/

/** Builds a 400 vp_token_invalid. */
export const buildVpTokenError = (description: string, cause?: unknown): ServiceError =>
  new ServiceError('vp_token_invalid', description, { cause })

/**
 * Parses the presentations of a `vp_token`: the object of DCQL or its text, else one compact presentation or an array
 * of them, which the older `presentation_submission` then describes.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-8.1}
 */
export function parseVpToken(
  vpToken: string | readonly string[] | JsonObject,
  submission: JsonObject | null,
): readonly PresentationToVerify[] {
  if (typeof vpToken === 'string' && /^\s*\{/.test(vpToken)) return parseAnswers(parseText(vpToken))
  if (isJsonObject(vpToken)) return parseAnswers(vpToken)
  const isSingle = typeof vpToken === 'string'
  const presentations = isSingle ? [vpToken] : vpToken
  requireCount(presentations.length)
  requireDescribed(submission, { count: presentations.length, isSingle })
  return presentations.map((compact) => ({ compact }))
}

/** Parses the object of DCQL: each id of the query with its presentations. */
function parseAnswers(answers: JsonObject): readonly PresentationToVerify[] {
  const presentations = Object.entries(answers).flatMap(([id, list]) => {
    const isAnswer = QUERY_ID.test(id) && Array.isArray(list) && list.length > 0
    if (!isAnswer) {
      throw buildVpTokenError('Each member of the vp_token must be a query id with an array of presentations.')
    }
    return list.map((compact: unknown) => {
      if (typeof compact !== 'string') throw buildVpTokenError('A presentation in the vp_token is not a string.')
      return { id, compact }
    })
  })
  requireCount(presentations.length)
  return presentations
}

function parseText(text: string): JsonObject {
  try {
    const value = parseJsonValue(Buffer.from(text))
    if (isJsonObject(value)) return value
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw buildVpTokenError(`The vp_token is not a JSON object. ${cause.message}.`, cause)
  }
  throw buildVpTokenError('The vp_token is not a JSON object.')
}

function requireCount(count: number): void {
  if (count === 0 || count > PRESENTATIONS_MAX) {
    throw buildVpTokenError(`A vp_token holds 1 to ${PRESENTATIONS_MAX} presentations.`)
  }
}

/** Throws unless each presentation has one descriptor, with an accepted format and a path to the presentation. */
function requireDescribed(
  submission: JsonObject | null,
  { count, isSingle }: { readonly count: number; readonly isSingle: boolean },
): void {
  const descriptors = submission?.['descriptor_map']
  if (!Array.isArray(descriptors)) throw buildVpTokenError('The presentation_submission has no descriptor_map.')
  if (descriptors.length !== count) throw buildVpTokenError('The descriptor_map needs one entry for each presentation.')
  const indexes = descriptors.map((descriptor: unknown) => {
    if (!isJsonObject(descriptor)) throw buildVpTokenError('An entry of the descriptor_map is not an object.')
    requireFormat(descriptor['format'])
    return indexOfPath(descriptor['path'], isSingle)
  })
  const isComplete = new Set(indexes).size === count && indexes.every((index) => index < count)
  if (!isComplete) throw buildVpTokenError('The paths of the descriptor_map do not lead to each presentation once.')
}

function requireFormat(format: unknown): void {
  if (typeof format === 'string' && FORMATS.includes(format)) return
  throw new ServiceError('vp_formats_not_supported', 'Presentations are taken in the format dc+sd-jwt only.')
}

/** Returns the index of the presentation at a path; infinity when there is none. */
function indexOfPath(path: unknown, isSingle: boolean): number {
  if (typeof path !== 'string') return Number.POSITIVE_INFINITY
  if (isSingle) return path === '$' ? 0 : Number.POSITIVE_INFINITY
  const [, index] = ARRAY_PATH.exec(path) ?? []
  return index === undefined ? Number.POSITIVE_INFINITY : Number(index)
}
