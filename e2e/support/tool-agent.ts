import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { newSetupToken, type Target } from '@/test/support/actors'
import type { Order } from './shop'

const BIN = path.resolve(import.meta.dirname, '../../tool-server/dist/bin.js')
const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
/** The timeout of a tool call, since buying may wait for a person. */
const TOOL_PATIENCE_MS = 120_000

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly data: Record<string, unknown>
}

/** The question that the agent shows the person in the chat while the wallet waits for an answer. */
export interface Question {
  /** The amount, for instance `EUR 12.00`. */
  readonly amount: string
  /** The merchant's address. */
  readonly payee: string
  readonly url: string
  readonly matchCode: string
}

/** A payment in progress. */
export interface Paying {
  /** The question in the tool's first report of progress. */
  readonly question: Promise<Question>
  readonly result: Promise<ToolResult>
}

/** The real tool server over stdio, called by the official client as by a model host. */
export class ToolAgent {
  private constructor(private readonly client: Client) {}

  /** Starts the tool server; `home` is its state directory, which may already contain a registration. */
  static async start(target: Target, home: string): Promise<ToolAgent> {
    const client = new Client({ name: 'e2e', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'serve'],
      env: { ...environment(home), COUNTERSIGN_AS_URL: target.baseUrl },
      stderr: 'ignore',
    })
    await client.connect(transport)
    return new ToolAgent(client)
  }

  /** Registers the agent with a setup token of the person; returns its client id. */
  async register(target: Target, principalId: string, name = 'Shopping assistant'): Promise<string> {
    const result = await this.call('agent_register', {
      setup_token: await newSetupToken(target, principalId),
      as_url: target.baseUrl,
      redirect_uris: [REDIRECT_URI],
      client_name: name,
    })
    if (result.isError) throw new Error(result.text)
    return String(result.data['client_id'])
  }

  async call(
    tool: string,
    args: Record<string, unknown> = {},
    onMessage?: (message: string) => void,
  ): Promise<ToolResult> {
    const result = await this.client.callTool({ name: tool, arguments: args }, undefined, {
      timeout: TOOL_PATIENCE_MS,
      ...(onMessage !== undefined && { onprogress: ({ message }) => onMessage(message ?? '') }),
    })
    const content = result.content as readonly { readonly text?: string }[]
    return {
      isError: result.isError === true,
      text: content.map(({ text }) => text ?? '').join('\n'),
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
    }
  }

  /** Requests a payment, and resolves once it is paid or will not be. */
  pay(order: Order, onMessage?: (message: string) => void): Promise<ToolResult> {
    return this.call('agent_payment_initiate', { redirect_uri: REDIRECT_URI, ...order }, onMessage)
  }

  /** Requests a payment, and returns the person's question while the tool waits for the answer. */
  startPaying(order: Order): Paying {
    let onMessage = (_message: string) => {}
    const asked = new Promise<Question>((resolve) => {
      onMessage = (message) => {
        const question = readQuestion(message)
        if (question !== null) resolve(question)
      }
    })
    const result = this.pay(order, (message) => onMessage(message))
    const unasked = result.then(({ text }) => Promise.reject(new Error(`Nobody was asked: ${text}`)))
    const question = Promise.race([asked, unasked])
    // A test that fails before it awaits these has already reported why.
    for (const promise of [question, result]) promise.catch(() => undefined)
    return { question, result }
  }

  stop(): Promise<void> {
    return this.client.close()
  }
}

/** Runs the command that the portal shows, with this checkout's tool server. */
export async function runShownCommand(command: string, home: string): Promise<string> {
  const words = command.split(' ')
  const args = words.slice(words.indexOf('register'))
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...args], { env: environment(home) })
  return stdout
}

/**
 * Returns the question in a message of the tool, whether it reports progress or has stopped waiting; null when there is
 * none.
 */
export function readQuestion(message: string): Question | null {
  const progress = /Approve (?<amount>\S+ \S+) to (?<payee>\S+): open (?<url>\S+) — .* code (?<matchCode>\d\d)\./
  const note =
    /open (?<url>\S+) \(.*\) and decide on (?<amount>\S+ \S+) to (?<payee>\S+)\. .* code (?<matchCode>\d\d)\./
  const { amount, payee, url, matchCode } = (progress.exec(message) ?? note.exec(message))?.groups ?? {}
  if (amount === undefined || payee === undefined || url === undefined || matchCode === undefined) return null
  return { amount, payee, url, matchCode }
}

function environment(home: string) {
  return { NODE_ENV: 'production' as const, PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: home }
}
