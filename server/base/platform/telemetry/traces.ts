import type * as Api from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import { currentSpan } from '../../core/current-span'
import { inTime } from '../../core/in-time'
import { outsideRequests } from '../../core/outside-requests'
import type { Logger } from '../../core/platform'
import {
  NO_SPAN,
  type OpenSpan,
  type SpanAttributes,
  type SpanStart,
  spanAttributes,
  type Telemetry,
  type TraceSettings,
} from '../../core/telemetry'
import { parseTraceparent } from '../../protocol/traceparent'
import { withoutCredentials } from '../logger'

/** The longest that a stop waits for a collector. */
const FLUSH_TIMEOUT_MS = 2_000
const WARN_EVERY_MS = 60_000

export interface Tracing extends Pick<Telemetry, 'traced'> {
  /** Sends what is left, if the collector takes it in time. */
  close(): Promise<void>
}

/**
 * Loads the tracing library, and sends spans to a collector from now on. The library is registered nowhere, since Next
 * would then write spans of its own, whose addresses hold the tokens of links.
 */
export async function openTraces(settings: TraceSettings, log: Logger): Promise<Tracing> {
  const [api, { resourceFromAttributes }, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { url, headers, serviceName, ratio } = settings
  const exporter = withWarnings(new OTLPTraceExporter({ url, headers }), log)
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  const tracer = provider.getTracer('countersign')
  const starter = createStarter(api, tracer, settings)
  return {
    async traced(start, work) {
      const span = starter(start)
      if (span === null) return work(NO_SPAN)
      try {
        return await currentSpan.run(span.spanContext(), () => work(narrow(span, api.SpanStatusCode.ERROR)))
      } finally {
        // The library's timer and connection, which it starts here, would keep the request in memory.
        outsideRequests(() => span.end())
      }
    },
    close: () => inTime(provider.shutdown(), FLUSH_TIMEOUT_MS).catch(() => undefined),
  }
}

/** Returns a function that starts spans; null for work of our own that no request and no job asked for. */
function createStarter({ trace, ROOT_CONTEXT, SpanKind }: typeof Api, tracer: Api.Tracer, settings: TraceSettings) {
  return (start: SpanStart): Api.Span | null => {
    const attributes = known(start.attributes)
    if (start.kind === 'consumer') {
      return tracer.startSpan(start.name, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT)
    }
    if (start.kind === 'client') {
      const parent = currentSpan.getStore() ?? null
      if (parent === null) return null
      return tracer.startSpan(
        start.name,
        { kind: SpanKind.CLIENT, attributes },
        trace.setSpanContext(ROOT_CONTEXT, parent),
      )
    }
    const caller = parseTraceparent(start.traceparent)
    const options = { kind: SpanKind.SERVER, attributes }
    if (caller === null) return tracer.startSpan(start.name, options, ROOT_CONTEXT)
    const context = { ...caller, traceFlags: Number(caller.isSampled), isRemote: true }
    // Otherwise strangers could choose the ids of our traces, and have all of them kept.
    if (!settings.trustsCallers) return tracer.startSpan(start.name, { ...options, links: [{ context }] }, ROOT_CONTEXT)
    return tracer.startSpan(start.name, options, trace.setSpanContext(ROOT_CONTEXT, context))
  }
}

function narrow(span: Api.Span, error: Api.SpanStatusCode): OpenSpan {
  return {
    set: (attributes) => void span.setAttributes(known(attributes)),
    fail: () => void span.setStatus({ code: error }),
  }
}

const names: ReadonlySet<string> = new Set(spanAttributes)

/** Leaves out attributes that are not in the list, which only wrong types let through, and what looks like a token. */
function known(attributes: SpanAttributes): Api.Attributes {
  const entries = Object.entries(attributes).filter(([name]) => names.has(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? withoutCredentials(value) : value]),
  )
}

/** Warns when a collector takes no spans, in our own words: the library's may quote the answer and the address. */
function withWarnings(exporter: SpanExporter, log: Logger): SpanExporter {
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (Number(result.code) !== 0 && performance.now() - warnedAt >= WARN_EVERY_MS) {
          warnedAt = performance.now()
          log.warn('traces not sent', { spans: spans.length })
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
