import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { followChanges } from './follow-changes'

const SECOND = 1_000
let streams: Stream[] = []

/** A stand-in for the browser's EventSource, whose network events the test fires. */
class Stream extends EventTarget {
  static readonly CLOSED = 2
  readyState = 0

  constructor(readonly url: string) {
    super()
    streams.push(this)
  }

  close(): void {
    this.readyState = Stream.CLOSED
  }

  say(type: string, data = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data }))
  }

  /** Breaks the stream. A browser connects again unless `forGood`, where the answer was one that ends the stream. */
  break({ forGood }: { forGood: boolean }): void {
    this.readyState = forGood ? Stream.CLOSED : 0
    this.dispatchEvent(new Event('error'))
  }
}

beforeEach(() => {
  streams = []
  vi.useFakeTimers()
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('EventSource', Stream)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function follow() {
  const told: unknown[] = []
  const end = followChanges({
    onChange: () => told.push('change'),
    onConnection: (silence) => told.push(silence === null ? 'linked' : `silent for ${Math.round(silence / SECOND)} s`),
    onSignedOut: () => told.push('signed out'),
  })
  return { told, end, stream: () => streams.at(-1) ?? expect.unreachable('no stream') }
}

describe('a stream of changes', () => {
  test('a stream that is being opened for the first time is no loss', () => {
    const { told, stream } = follow()
    vi.advanceTimersByTime(11 * SECOND)
    expect(told).toEqual([])
    stream().say('connected')
    stream().say('message')
    expect(told).toEqual(['linked', 'change'])
    expect(streams).toHaveLength(1)
  })

  test('a silent stream is closed and reopened after twelve seconds', () => {
    const { told, stream } = follow()
    const first = stream()
    vi.advanceTimersByTime(12 * SECOND)
    expect(told).toEqual(['silent for 12 s'])
    expect(first.readyState).toBe(Stream.CLOSED)
    stream().say('connected')
    for (let beats = 0; beats < 10; beats += 1) {
      vi.advanceTimersByTime(5 * SECOND)
      stream().say('ping')
    }
    expect(told).toEqual(['silent for 12 s', 'linked'])
    expect(streams).toHaveLength(2)
    vi.advanceTimersByTime(12 * SECOND)
    expect(told).toEqual(['silent for 12 s', 'linked', 'silent for 12 s'])
  })

  test('a broken stream is left to the browser while it retries', () => {
    const { told, stream } = follow()
    stream().say('connected')
    vi.advanceTimersByTime(4 * SECOND)
    stream().break({ forGood: false })
    stream().say('connected')
    expect(told).toEqual(['linked', 'silent for 4 s', 'linked'])
    expect(streams).toHaveLength(1)
  })

  test('a refused stream is requested again after half a minute', () => {
    const { told, stream } = follow()
    stream().break({ forGood: true })
    vi.advanceTimersByTime(29 * SECOND)
    expect(streams).toHaveLength(1)
    vi.advanceTimersByTime(SECOND)
    expect(streams).toHaveLength(2)
    expect(told).toEqual(['silent for 0 s', 'silent for 30 s'])
  })

  test.each([
    [401, ['linked', 'silent for 0 s', 'signed out']],
    [503, ['linked', 'silent for 0 s']],
  ])('a stream that ends with %i is closed, and requested again after half a minute', (httpStatus, expected) => {
    const { told, stream } = follow()
    const first = stream()
    first.say('connected')
    first.say('serialized-error', JSON.stringify({ message: 'No.', data: { httpStatus } }))
    expect(told).toEqual(expected)
    expect(first.readyState).toBe(Stream.CLOSED)
    vi.advanceTimersByTime(30 * SECOND)
    expect(streams).toHaveLength(2)
  })

  test('a stream without a follower is closed for good', () => {
    const { told, stream, end } = follow()
    stream().say('connected')
    end()
    vi.advanceTimersByTime(120 * SECOND)
    expect(stream().readyState).toBe(Stream.CLOSED)
    expect(streams).toHaveLength(1)
    expect(told).toEqual(['linked'])
  })
})
