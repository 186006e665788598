import { AsyncLocalStorage } from 'node:async_hooks'

/** A span, as its children and links name it. */
export interface SpanReference {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

// Bundles may hold several copies of this module; a flow has one span.
const STORE = Symbol.for('countersign.current-span')
const holder = globalThis as { [STORE]?: AsyncLocalStorage<SpanReference | null> }

/** The span in which code runs. Nothing runs in it without traces, since Node.js then follows every promise. */
export const currentSpan = (holder[STORE] ??= new AsyncLocalStorage())

/** Starts work that is not for the current span alone, such as work for several requests, outside of any span. */
export function outsideSpans<T>(work: () => T): T {
  return currentSpan.getStore() ? currentSpan.run(null, work) : work()
}
