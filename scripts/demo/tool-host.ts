import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { CommandError } from '../operator-client'

const bin = fileURLToPath(new URL('../../tool-server/dist/bin.js', import.meta.url))
const recorder = new URL('record-exchanges.mjs', import.meta.url).href
/** The timeout of a tool call, longer than any approval may take. */
const CALL_TIMEOUT_MS = 960_000

interface ToolCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly onProgress?: (message: string) => void
}

/** The answer of a tool, as a model reads it. */
export interface ToolAnswer {
  readonly isError: boolean
  /** The failure or the structured content as JSON, then advice. */
  readonly texts: readonly string[]
  readonly data: Readonly<Record<string, unknown>>
}

/** A model host: it runs the tool server and calls its tools over stdin and stdout. */
export interface ToolHost {
  /** Returns the answer that the model gets, failures included. */
  ask(call: ToolCall): Promise<ToolAnswer>
  /** Returns the tool's structured content. Throws a {@link CommandError} with the tool's message when it fails. */
  call(call: ToolCall): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/**
 * Starts the built tool server with its own state directory, which is removed with it. With a raw log, its HTTP
 * exchanges are appended to that file.
 */
export async function startToolHost(baseUrl: string, rawLog?: string): Promise<ToolHost> {
  if (!existsSync(bin))
    throw new CommandError('The tool server is not built. Run `npm run build` (or `npm start`) first.')
  const home = await mkdtemp(join(tmpdir(), 'countersign-demo-'))
  const client = new Client({ name: 'countersign-demo', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...(rawLog === undefined ? [] : ['--import', recorder]), bin, 'serve'],
    env: {
      ...getDefaultEnvironment(),
      COUNTERSIGN_HOME: home,
      COUNTERSIGN_AS_URL: baseUrl,
      ...(rawLog !== undefined && { DEMO_RAW_LOG: rawLog }),
    },
    stderr: 'ignore',
  })
  const close = async () => {
    await client.close()
    await rm(home, { recursive: true, force: true })
  }
  try {
    await client.connect(transport)
  } catch (error) {
    await close()
    throw error
  }
  const ask = (call: ToolCall) => askTool(client, call)
  return { ask, call: async (call) => contentOf(await ask(call)), close }
}

async function askTool(client: Client, { name, args, onProgress }: ToolCall): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: { ...args } }, undefined, {
    timeout: CALL_TIMEOUT_MS,
    ...(onProgress === undefined ? {} : { onprogress: ({ message }) => onProgress(message ?? '') }),
  })
  return {
    isError: result.isError === true,
    texts: (result.content as readonly { text?: string }[]).map(({ text }) => text ?? ''),
    data: (result.structuredContent ?? {}) as Readonly<Record<string, unknown>>,
  }
}

function contentOf({ isError, texts, data }: ToolAnswer): Readonly<Record<string, unknown>> {
  if (isError) throw new CommandError(texts.join('\n'))
  return data
}
