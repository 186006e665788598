import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const folder = path.resolve(import.meta.dirname, '../../tool-server')
/** The built command. */
export const BIN = path.join(folder, 'dist/bin.js')
const UNBUNDLED = path.join(import.meta.dirname, 'unbundled.mjs')
const SHORT_LIMITS = pathToFileURL(path.join(import.meta.dirname, 'short-limits.mjs')).href
const CALL_TIMEOUT_MS = 60_000

/** Builds the tool server when its sources are newer than what is built. */
export function buildToolServer(): void {
  const sources = readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' })
  const newest = Math.max(...sources.map((name) => statSync(path.join(folder, 'src', name)).mtimeMs))
  if (existsSync(BIN) && statSync(BIN).mtimeMs >= newest) return
  execFileSync(process.execPath, ['build.mjs'], { cwd: folder, stdio: 'inherit' })
}

/** Parents of the homes that a test file has made, removed by {@link removeHomes}. */
const parents: string[] = []

/** A state directory that is not there yet. */
export async function newHome(): Promise<string> {
  const parent = await mkdtemp(path.join(tmpdir(), 'countersign-tools-'))
  parents.push(parent)
  return path.join(parent, 'home')
}

export async function removeHomes(): Promise<void> {
  await Promise.all(parents.splice(0).map((parent) => rm(parent, { recursive: true, force: true })))
}

export interface ToolResult {
  readonly isError: boolean
  /** The failure or the JSON, then advice. */
  readonly texts: readonly string[]
  readonly data: Record<string, unknown>
}

export interface ToolHostOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Values of tool-server/src/limits.ts, such as timeouts, that a test cannot wait for. */
  readonly limits?: Readonly<Record<string, number>>
  /** What the person does with a page that the host offers to open; hosts that cannot open pages leave it out. */
  readonly onPage?: (url: string) => 'accept' | 'decline' | 'cancel'
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly onMessage?: (message: string) => void
}

/** The real tool server over stdio with a home directory, driven by the official client as a model host would do it. */
export class ToolHost {
  private constructor(
    private readonly client: Client,
    private readonly transport: StdioClientTransport,
    readonly home: string,
    /** What it has written to stderr. */
    readonly log: () => string,
  ) {}

  static async start(home: string, { env = {}, limits, onPage }: ToolHostOptions = {}): Promise<ToolHost> {
    buildToolServer()
    const capabilities = onPage === undefined ? {} : { elicitation: { url: {} } }
    const client = new Client({ name: 'test', version: '1' }, { capabilities })
    if (onPage !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
        action: onPage('url' in params ? params.url : ''),
      }))
    }
    const entry = limits === undefined ? [BIN] : ['--import', SHORT_LIMITS, UNBUNDLED]
    const shortened = limits === undefined ? {} : { SHORT_LIMITS: JSON.stringify(limits) }
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [...entry, 'serve'],
      env: { ...environment(home), ...shortened, ...env },
      stderr: 'pipe',
    })
    let log = ''
    transport.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    await client.connect(transport)
    // From here on the client holds every answer to the output schema of its tool.
    await client.listTools()
    return new ToolHost(client, transport, home, () => log)
  }

  async call(name: string, args?: object, { signal, onMessage }: CallOptions = {}): Promise<ToolResult> {
    const result = await this.client.callTool(
      { name, ...(args !== undefined && { arguments: { ...args } }) },
      undefined,
      {
        timeout: CALL_TIMEOUT_MS,
        ...(signal !== undefined && { signal }),
        ...(onMessage !== undefined && { onprogress: ({ message }) => onMessage(message ?? '') }),
      },
    )
    const content = result.content as readonly { readonly text?: string }[]
    return {
      isError: result.isError === true,
      texts: content.map(({ text }) => text ?? ''),
      data: (result.structuredContent ?? {}) as Record<string, unknown>,
    }
  }

  /** The tools as hosts see them. */
  async list() {
    return (await this.client.listTools()).tools
  }

  /** What the server says of itself and to models when a host connects. */
  introduction() {
    return {
      version: this.client.getServerVersion(),
      capabilities: this.client.getServerCapabilities(),
      instructions: this.client.getInstructions() ?? '',
    }
  }

  get pid(): number {
    const { pid } = this.transport
    if (pid === null) throw new Error('the tool server has ended')
    return pid
  }

  /** Ends it without warning. */
  kill(): void {
    process.kill(this.pid, 'SIGKILL')
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end. */
export function runTools(
  args: readonly string[],
  { home, env = {}, stdin = '' }: { home: string; env?: Record<string, string>; stdin?: string },
): Promise<CommandResult> {
  buildToolServer()
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [BIN, ...args],
      { env: { ...environment(home), ...env } },
      (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
    child.stdin?.end(stdin)
  })
}

function environment(home: string) {
  return { NODE_ENV: 'production' as const, PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: home }
}
