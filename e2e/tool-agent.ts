import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { newSetupToken, type Target } from '@/test/actors'

const BIN = path.resolve(import.meta.dirname, '../tool-server/dist/bin.js')
const REDIRECT_URI = 'http://127.0.0.1:8765/oid4ac/callback'
/** Buying may wait for a person. */
const TOOL_PATIENCE_MS = 120_000

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly data: Record<string, unknown>
}

/** The real tool server over stdio, driven by the official client as a model host would do it. */
export class ToolAgent {
  private constructor(
    private readonly client: Client,
    private readonly home: string,
  ) {}

  static async start(target: Target): Promise<ToolAgent> {
    const home = await mkdtemp(path.join(tmpdir(), 'countersign-agent-'))
    const client = new Client({ name: 'e2e', version: '1' })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'serve'],
      env: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: home, COUNTERSIGN_AS_URL: target.baseUrl },
      stderr: 'ignore',
    })
    await client.connect(transport)
    return new ToolAgent(client, home)
  }

  /** Registers the agent with a setup token of the person. */
  async register(target: Target, principalId: string, name = 'Shopping assistant'): Promise<void> {
    const result = await this.call('agent_register', {
      setup_token: await newSetupToken(target, principalId),
      as_url: target.baseUrl,
      redirect_uris: [REDIRECT_URI],
      client_name: name,
    })
    if (result.isError) throw new Error(result.text)
  }

  async call(tool: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const result = await this.client.callTool({ name: tool, arguments: args }, undefined, { timeout: TOOL_PATIENCE_MS })
    const content = result.content as readonly { readonly text?: string }[]
    return {
      isError: result.isError === true,
      text: content.map(({ text }) => text ?? '').join('\n'),
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
    }
  }

  /** Asks to pay; `merchant_url` and the rest as the tool takes them. */
  pay(order: Record<string, unknown>): Promise<ToolResult> {
    return this.call('agent_payment_initiate', { redirect_uri: REDIRECT_URI, ...order })
  }

  async stop(): Promise<void> {
    await this.client.close()
    await rm(this.home, { recursive: true, force: true })
  }
}
