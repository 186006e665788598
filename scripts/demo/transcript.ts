import type { ToolAnswer } from './tool-host'

const LINE_MAX_CHARACTERS = 240
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const DIGEST = /(?<![\w/.-])[\w-]{43}(?![\w-])/g
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

interface TranscriptOptions {
  /** The server's address, in place of which the usual one is written; null leaves everything as it was in this run. */
  readonly placeholdersFor: string | null
  readonly write: (line: string) => void
}

/** Prints what a scripted model and the person see, line by line, never with tokens or keys. */
export class Transcript {
  #steps = 0

  constructor(private readonly options: TranscriptOptions) {}

  step(title: string): void {
    this.#steps += 1
    this.options.write('')
    this.options.write(`${this.#steps}. ${title}`)
  }

  calls(name: string, args: Readonly<Record<string, unknown>>): void {
    const shown = { ...args, ...('setup_token' in args ? { setup_token: '…' } : {}) }
    this.#say('model', `${name} ${JSON.stringify(shown)}`)
  }

  answers({ texts }: ToolAnswer): void {
    for (const text of texts) this.#say('answer', text)
  }

  hears(message: string): void {
    this.#say('hears', message)
  }

  person(words: string): void {
    this.#say('person', words)
  }

  #say(who: string, words: string): void {
    const { placeholdersFor, write } = this.options
    const shown = withoutSecrets(words)
    const text = placeholdersFor === null ? shown : withPlaceholders(shown, placeholdersFor)
    const cut = text.length > LINE_MAX_CHARACTERS ? `${text.slice(0, LINE_MAX_CHARACTERS)}…` : text
    write(`   ${who.padEnd(7)} ${cut}`)
  }
}

function withoutSecrets(words: string): string {
  return words
    .replaceAll(JWT, 'eyJ…')
    .replaceAll(/sig1=:[^:]*:/g, 'sig1=:…:')
    .replaceAll('\n', ' ')
}

/** Replaces what differs from run to run, so that two runs read the same. */
function withPlaceholders(words: string, baseUrl: string): string {
  return words
    .replaceAll(baseUrl, 'http://localhost:3000')
    .replaceAll(ID, '<id>')
    .replaceAll(DIGEST, '<digest>')
    .replaceAll(INSTANT, '<time>')
    .replaceAll(/(\/approve\/)[\w-]+/g, '$1<handle>')
    .replaceAll(/(\/receipts\/|ord_|pi_)[\w-]+/g, '$1<id>')
    .replaceAll(/code (\d\d)\b/g, 'code <nn>')
    .replaceAll(/\d\d:\d\d \(UTC[+-]\d\d:\d\d\)/g, '<clock>')
}
