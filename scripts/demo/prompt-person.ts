import { encodeQR } from 'qr'
import { CommandError } from '../operator-client'
import { openBrowser } from '../start/open-browser.mjs'
import { bold, dim, formatMoney, green, type Narrator } from './narrator'
import type { DemoOptions } from './options'
import type { Wallet } from './wallet'

/** The purchase that the person is asked to approve. */
export interface ExpectedPurchase {
  readonly clientId: string
  readonly merchant: string
  readonly amountMinor: number
  readonly currency: string
}

interface PromptContext {
  readonly options: DemoOptions
  readonly narrator: Narrator
  readonly wallet: Wallet
  /** Called once, when the server has accepted the agent's request. */
  readonly onAccepted: () => void
}

const CTRL_C = '\u0003'
const APPROVAL = /open (\S+) — the page must show the code (\d\d)/
const canPressKeys = process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']

/** An open prompt. */
export interface Prompt {
  /** Receives the progress messages of the tool server; the first that names an approval opens the prompt. */
  readonly onProgress: (message: string) => void
  /** Rejects when the demo cannot prompt or decide; otherwise it stays pending. */
  readonly failed: Promise<never>
  readonly end: () => void
}

/**
 * Prompts the person when the tool server needs an approval: shows link, code and QR code, and lets the demo decide in
 * the person's name where that was chosen.
 */
export function promptPerson(expected: ExpectedPurchase, context: PromptContext): Prompt {
  const { options, narrator, wallet } = context
  let isOpen = false
  let stopKeys: () => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const start = async (url: string, code: string) => {
    context.onAccepted()
    const pending = await wallet.findPending(expected.clientId)
    showPrompt({ url, code, exceeds: pending?.limit_bump_id !== undefined }, context)
    if (options.decision === 'approve' || options.decision === 'decline') {
      return decide(expected, options.decision, context)
    }
    if (options.decision === 'ask' && canPressKeys && !options.json) stopKeys = listenToKeys(url, expected, context)
    narrator.wait('waiting for the decision…')
  }
  return {
    onProgress: (message) => {
      const [, url, code] = APPROVAL.exec(message) ?? []
      if (isOpen || url === undefined || code === undefined) return
      isOpen = true
      start(url, code).catch(fail)
    },
    failed,
    end: () => {
      stopKeys()
      narrator.endWait()
    },
  }
}

function showPrompt(
  { url, code, exceeds }: { url: string; code: string; exceeds: boolean },
  context: PromptContext,
): void {
  const { narrator, options } = context
  const text = `→ ${url}   match code ${bold(code)}`
  const members = { url, match_code: code, exceeds_a_limit: exceeds }
  narrator.step({ name: 'approval', title: 'Your approval', text, members })
  if (exceeds) narrator.say("    This is more than Ada's limits allow. Approving it allows the excess this once.")
  if (options.decision !== 'ask') return
  if (process.stdout.isTTY === true) {
    for (const line of encodeQR(url, 'ascii', { ecc: 'low', border: 1 }).trimEnd().split('\n'))
      narrator.say(`    ${line}`)
  }
  const keys = 'press o to open · a to approve as Ada · d to decline (demo only)'
  narrator.say(`    ${canPressKeys ? keys : 'open the link, sign in as Ada and decide'}`)
}

/** Decides in the person's name, once the approval shows exactly what the agent should buy. */
async function decide(
  expected: ExpectedPurchase,
  decision: 'approve' | 'decline',
  { wallet, narrator }: PromptContext,
): Promise<void> {
  const pending = await wallet.findPending(expected.clientId)
  if (pending === null) throw new CommandError('The request does not wait in the wallet.')
  const { merchant_audience: merchant, amount_minor: amountMinor, currency } = pending
  if (merchant !== expected.merchant || amountMinor !== expected.amountMinor || currency !== expected.currency) {
    throw new CommandError('The wallet shows another purchase than the agent asked for; nothing was decided.')
  }
  await wallet.decide(pending.authorization_id, decision)
  const done = decision === 'approve' ? 'approved' : 'declined'
  narrator.endWait()
  narrator.say(`  ${green('✓')} ${done} ${formatMoney(amountMinor, currency)} as Ada over HTTP ${dim(clockTime())}`)
  narrator.fact('decision', { decision: done })
}

function listenToKeys(url: string, expected: ExpectedPurchase, context: PromptContext): () => void {
  const { stdin } = process
  const choose = (decision: 'approve' | 'decline') => {
    decide(expected, decision, context).catch((error: unknown) => context.narrator.say(String(error)))
  }
  const onKey = (key: string) => {
    if (key === 'o') void openBrowser(url)
    else if (key === 'a') choose('approve')
    else if (key === 'd') choose('decline')
    else if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
  }
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', onKey)
  return () => {
    stdin.off('data', onKey)
    stdin.setRawMode(false)
    stdin.pause()
  }
}

function clockTime(): string {
  return new Date().toTimeString().slice(0, 8)
}
