'use client'

import { PASSIVE_HEADER, PORTAL_ENDPOINT } from '@/server/base/contract/request-headers'
import type { RefusalData } from '../../server/transport/trpc/refusal'

/** The server beats every five seconds; a stream that is silent for longer than this is dead. */
const SILENCE_MILLISECONDS = 12_000
const AGAIN_MILLISECONDS = 30_000

interface Follower {
  /** Something changed, or may have while nothing was heard. */
  readonly onChange: () => void
  /** With how long the server has not been heard (milliseconds) while there is no stream; with null once there is. */
  readonly onConnection: (silence: number | null) => void
  /** With the refusal, which tells why the session ended where the server knows. */
  readonly onSignedOut: (refusal: RefusalData) => void
}

/**
 * Follows the changes that the server announces, and takes the stream up again whenever it is lost: at once where the
 * connection broke, which the browser does by itself, and after half a minute where it was refused. Returns what ends it.
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
  // What has just been loaded is up to date: nobody is told of a first link that is still being made.
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

/** A browser does not say with which status a stream was refused. */
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
