/** The output of `npm start`: marks and colours in a terminal, plain lines elsewhere. */
import { styleText } from 'node:util'

const { env, stdin, stdout, stderr } = process
/** The streams' original `write`, since the server later redirects what is written to them into its log. */
const show = stdout.write.bind(stdout)
const showError = stderr.write.bind(stderr)

/** Whether a person can press keys. */
export const interactive = Boolean(stdout.isTTY && stdin.isTTY) && !env.CI

export const bold = (text) => styleText('bold', text)
export const dim = (text) => styleText('dim', text)
export const yellow = (text) => styleText('yellow', text)

export function line(text = '') {
  show(text === '' ? '\n' : `  ${text}\n`)
}

/** Prints a line of facts, each with a tick. */
export function done(...facts) {
  line(facts.map((fact) => `${styleText('green', '✓')} ${fact}`).join('   '))
}

/** Prints a line of facts that the operator should mend. */
export function warn(...facts) {
  line(facts.map((fact) => `${yellow('!')} ${fact}`).join('   '))
}

/** Ends the start with a message and no stack. */
export function giveUp(message) {
  showError(`\n${styleText('red', '✗', { stream: stderr })} ${message}\n`)
  process.exit(1)
}

/** Shows a running clock beside `label` until the returned function is called with what to write in its place. */
export function progress(label) {
  const startedAt = Date.now()
  const seconds = () => Math.round((Date.now() - startedAt) / 1000)
  if (!interactive) {
    line(`… ${label}`)
    return () => seconds()
  }
  const showClock = () => show(`\r\u001B[2K  ${dim(`… ${label}  ${seconds()} s`)}`)
  showClock()
  const timer = setInterval(showClock, 1000)
  return () => {
    clearInterval(timer)
    show('\r\u001B[2K')
    return seconds()
  }
}

/** Asks a yes-or-no question; Enter alone means yes. */
export async function confirm(question) {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: stdin, output: stdout })
  try {
    const answer = await terminal.question(`  ${question} [Y/n] `)
    return /^(y|yes|)$/i.test(answer.trim())
  } catch {
    return false
  } finally {
    terminal.close()
  }
}
