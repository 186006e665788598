import { styleText } from 'node:util'
import { currencyDigits, decimalAmount } from '@/server/base/core/money'

const { stdout } = process

export const bold = (text: string): string => styleText('bold', text)
export const dim = (text: string): string => styleText('dim', text)
export const green = (text: string): string => styleText('green', text)
export const red = (text: string): string => styleText('red', text)

const TITLE_WIDTH = 16
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** One step: words for people, members for programs. Neither contains a token or key. */
export interface Step {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly members: Readonly<Record<string, unknown>>
}

/** Prints what happens: numbered lines for people, or one JSON object per step for programs. */
export class Narrator {
  #count = 0
  #stopWaiting: () => void = () => undefined

  constructor(private readonly json: boolean) {}

  /** Prints a line for people only. */
  say(text: string): void {
    if (!this.json) stdout.write(text === '' ? '\n' : `  ${text}\n`)
  }

  /** Prints the next numbered step. */
  step({ name, title, text, members }: Step): void {
    this.#count += 1
    this.say(`${bold(String(this.#count))} ${title.padEnd(TITLE_WIDTH)} ${text}`)
    this.fact(name, members)
  }

  /** Prints a result for programs; people read it in `say`. */
  fact(name: string, members: Readonly<Record<string, unknown>>): void {
    if (this.json) stdout.write(`${JSON.stringify({ step: name, ...members })}\n`)
  }

  /** Shows that the demo waits, with a running clock in a terminal. */
  wait(label: string): void {
    this.#stopWaiting()
    if (this.json) return
    if (stdout.isTTY !== true) {
      this.say(`  … ${label}`)
      return
    }
    const startedAt = Date.now()
    let turn = 0
    const timer = setInterval(() => {
      const seconds = Math.floor((Date.now() - startedAt) / 1000)
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
      stdout.write(`\r\u001B[2K    ${SPINNER[turn % SPINNER.length] ?? ''} ${label} ${clock}`)
      turn += 1
    }, 100)
    this.#stopWaiting = () => {
      clearInterval(timer)
      stdout.write('\r\u001B[2K')
      this.#stopWaiting = () => undefined
    }
  }

  endWait(): void {
    this.#stopWaiting()
  }
}

/** Returns an amount as people read it, with the digits of ISO 4217. */
export function formatMoney(amountMinor: number, currency: string): string {
  const digits = currencyDigits(currency) ?? 2
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}

/** Returns the start of an identifier that is too long to read. */
export function shorten(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 8)}…`
}
