'use client'

import { PASSIVE_HEADER, PORTAL_ENDPOINT } from '@/server/base/contract/request-headers'
import type { RefusalData } from '../../server/transport/trpc/refusal'

/** How long a stream may be silent before it counts as lost; the server sends a heartbeat every five seconds. */
const SILENCE_MILLISECONDS = 12_000
const AGAIN_MILLISECONDS = 30_000

interface Follower {
  /** Called when something changed, or may have changed while there was no stream. */
  readonly onChange: () => void
  /**
   * Called with the milliseconds since the server was last heard while there is no stream, and with null once there is
   * one.
   */
  readonly onConnection: (silence: number | null) => void
  /** Called with the refusal, which says why the session ended where the server knows it. */
  readonly onSignedOut: (refusal: RefusalData) => void
}

/**
 * Follows the changes that the server announces. A lost stream is opened again: at once by the browser where the
 * connection broke, and after half a minute where it was refused. Returns a function that stops following.
 */
export function followChanges({ onChange, onConnection, onSignedOut }: Follower): () => void {
  let source: EventSource | undefined
  let timer: number | undefined
  let heardAt = performance.now()
  const openIn = (milliseconds: number) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(openAgain, milliseconds)
  }
  const heard = () => {
    heardAt = performance.now()
    openIn(SILENCE_MILLISECONDS)
  }
  const lost = () => onConnection(performance.now() - heardAt)
  function openAgain() {
    source?.close()
    lost()
    open()
  }
  // A page that was just loaded is up to date, so the first connection is not reported as missing while it is being
  // made.
  function open() {
    const stream = new EventSource(`${PORTAL_ENDPOINT}/session.changes`)
    source = stream
    openIn(SILENCE_MILLISECONDS)
    stream.addEventListener('ping', heard)
    stream.addEventListener('connected', () => {
      heard()
      onConnection(null)
    })
    stream.addEventListener('message', () => {
      heard()
      onChange()
    })
    stream.addEventListener('serialized-error', ({ data }: MessageEvent<string>) => {
      stream.close()
      lost()
      openIn(AGAIN_MILLISECONDS)
      const refusal = refusalIn(data)
      if (refusal?.httpStatus === 401) onSignedOut(refusal)
    })
    stream.addEventListener('error', () => {
      lost()
      if (stream.readyState !== EventSource.CLOSED) return
      openIn(AGAIN_MILLISECONDS)
      void readRefusal().then((refusal) => {
        if (refusal?.httpStatus === 401 && source === stream) onSignedOut(refusal)
      })
    })
  }
  open()
  return () => {
    window.clearTimeout(timer)
    source?.close()
    source = undefined
  }
}

/** Reads why the stream was refused, since a browser does not tell the status. */
async function readRefusal(): Promise<RefusalData | undefined> {
  try {
    const response = await fetch(`${PORTAL_ENDPOINT}/session.me`, { headers: { [PASSIVE_HEADER]: '1' } })
    if (response.ok) return undefined
    const { error } = (await response.json()) as { readonly error?: { readonly data?: RefusalData } }
    return error?.data
  } catch {
    return undefined
  }
}

function refusalIn(message: string): RefusalData | undefined {
  const { data } = JSON.parse(message) as { readonly data?: RefusalData }
  return data
}
