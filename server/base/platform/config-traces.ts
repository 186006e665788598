import { parseUrl } from '../core/parse-url'
import type { TraceSettings } from '../core/telemetry'
import { type Environment, flag, isProtectedUrl, text } from './config-rules'

/** The variables about traces. Those of OpenTelemetry have its names and meaning. */
export const traceFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    (value) => /^https?:$/.test(parseUrl(value)?.protocol ?? '') && !/[?#@]/.test(value),
    'must be an http or https URL without user and query, for example http://localhost:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    (value) => readHeaders(value) !== null,
    'must be names and values separated by commas, for example api-key=value',
  ),
  OTEL_SERVICE_NAME: text(
    (value) => /^[\w./-]{1,100}$/.test(value),
    'must be 1 to 100 letters, digits or any of ._/-, for example countersign',
  ),
  OTEL_TRACES_SAMPLER_ARG: text(
    (value) => /^(?:0|1|[01]?\.\d{1,9})$/.test(value) && Number(value) <= 1,
    'must be a number from 0 to 1, for example 0.1',
  ),
  TRUST_TRACEPARENT: flag,
}

/** Variables of OpenTelemetry that this server does not read, each with the only value that says what it does. */
const fixed = [
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
  ['OTEL_TRACES_SAMPLER', 'parentbased_traceidratio'],
] as const
/** Further names of settings above, which are refused, so that each has one. */
const doubled = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']

/** Returns the problems of variables about traces that depend on each other. */
export function traceProblems(env: Environment): string[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env
  // Also without a collector, since the first of these is meant to name one.
  const problems = doubled.flatMap((name) =>
    env[name] === undefined ? [] : [`${name} is not read: set ${name.replace('TRACES_', '')}`],
  )
  if (endpoint === undefined) {
    if (headers !== undefined) problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be set too: the headers are sent there')
    return problems
  }
  for (const [name, value] of fixed) {
    if (env[name] !== undefined && env[name] !== value) problems.push(`${name} must be ${value} or not be set`)
  }
  if (headers !== undefined && !isProtectedUrl(endpoint)) {
    problems.push(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an https URL, or http on a loopback host, since OTEL_EXPORTER_OTLP_HEADERS are sent there',
    )
  }
  return problems
}

/** Returns the settings of traces; null when no collector is named. */
export function toTraces(settings: {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  readonly OTEL_SERVICE_NAME?: string | undefined
  readonly OTEL_TRACES_SAMPLER_ARG?: string | undefined
  readonly TRUST_TRACEPARENT?: boolean | undefined
}): TraceSettings | null {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return null
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(settings.OTEL_EXPORTER_OTLP_HEADERS ?? '') ?? {},
    serviceName: settings.OTEL_SERVICE_NAME ?? 'countersign',
    ratio: Number(settings.OTEL_TRACES_SAMPLER_ARG ?? 1),
    trustsCallers: settings.TRUST_TRACEPARENT ?? false,
  }
}

const HEADER = /^([\w!#$%&'*+.^`|~-]{1,100})=([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/

/** Reads headers as OpenTelemetry writes them, with values in percent-encoding; null when one is wrong. */
function readHeaders(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {}
  for (const one of list === '' ? [] : list.split(',')) {
    const [, name = '', value = ''] = HEADER.exec(decoded(one.trim()) ?? '') ?? []
    if (name === '') return null
    headers[name] = value
  }
  return headers
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
