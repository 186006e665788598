import { encodeQR } from 'qr'
import { Complaint } from '../operator-client'
import { openBrowser } from '../start/open-browser.mjs'
import { bold, dim, formatMoney, green, type Narrator } from './narrator'
import type { DemoOptions } from './options'
import type { Wallet } from './wallet'

/** What the person is asked. */
export interface Question {
  readonly clientId: string
  readonly merchant: string
  readonly amountMinor: number
  readonly currency: string
}

interface Around {
  readonly options: DemoOptions
  readonly narrator: Narrator
  readonly wallet: Wallet
  /** Called once, when the server has taken the agent's request. */
  readonly onAccepted: () => void
}

const CTRL_C = '\u0003'
const APPROVAL = /open (\S+) — the page must show the code (\d\d)/
const canPressKeys = process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']

/** The asking while it goes on. */
export interface Asking {
  /** Takes the progress messages of the tool server; the first that names an approval starts the asking. */
  readonly onProgress: (message: string) => void
  /** Rejects when the demo cannot ask or decide; otherwise it stays pending. */
  readonly failed: Promise<never>
  readonly end: () => void
}

/**
 * Asks the person when the tool server says that it needs one: shows link, code and QR, and lets the demo decide in the
 * person's name where that was chosen.
 */
export function askPerson(question: Question, around: Around): Asking {
  const { options, narrator, wallet } = around
  let asked = false
  let stopKeys: () => void = () => undefined
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  const start = async (url: string, code: string) => {
    around.onAccepted()
    const pending = await wallet.findPending(question.clientId)
    showQuestion({ url, code, exceeds: pending?.limit_bump_id !== undefined }, around)
    if (options.decision === 'approve' || options.decision === 'decline') {
      return decide(question, options.decision, around)
    }
    if (options.decision === 'ask' && canPressKeys && !options.json) stopKeys = listenToKeys(url, question, around)
    narrator.wait('waiting for the decision…')
  }
  return {
    onProgress: (message) => {
      const [, url, code] = APPROVAL.exec(message) ?? []
      if (asked || url === undefined || code === undefined) return
      asked = true
      start(url, code).catch(fail)
    },
    failed,
    end: () => {
      stopKeys()
      narrator.endWait()
    },
  }
}

function showQuestion({ url, code, exceeds }: { url: string; code: string; exceeds: boolean }, around: Around): void {
  const { narrator, options } = around
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

/** Decides in the person's name, once the request shows exactly what the agent was told to buy. */
async function decide(
  question: Question,
  decision: 'approve' | 'decline',
  { wallet, narrator }: Around,
): Promise<void> {
  const pending = await wallet.findPending(question.clientId)
  if (pending === null) throw new Complaint('The request does not wait in the wallet.')
  const { merchant_audience: merchant, amount_minor: amountMinor, currency } = pending
  if (merchant !== question.merchant || amountMinor !== question.amountMinor || currency !== question.currency) {
    throw new Complaint('The wallet shows another purchase than the agent asked for; nothing was decided.')
  }
  await wallet.decide(pending.authorization_id, decision)
  const done = decision === 'approve' ? 'approved' : 'declined'
  narrator.endWait()
  narrator.say(`  ${green('✓')} ${done} ${formatMoney(amountMinor, currency)} as Ada over HTTP ${dim(clockTime())}`)
  narrator.fact('decision', { decision: done })
}

function listenToKeys(url: string, question: Question, around: Around): () => void {
  const { stdin } = process
  const choose = (decision: 'approve' | 'decline') => {
    decide(question, decision, around).catch((error: unknown) => around.narrator.say(String(error)))
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
