import { Client as ModernClient, type VersionNegotiationOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

import { BIN } from './tool-host'

/** What a person does with a page that the host offers to open. */
export type OnPage = (url: string) => Promise<'accept' | 'decline' | 'cancel'>

export interface HostCall {
  readonly name: string
  readonly args: Record<string, unknown>
  readonly onProgress?: (message: string) => void
  readonly signal?: AbortSignal
}

export interface HostResult {
  readonly isError: boolean
  readonly texts: readonly string[]
  readonly data: Record<string, unknown>
}

/** A model host that has started the tool server. */
export interface TestHost {
  /** The protocol revision that both have agreed on. */
  readonly revision: string | undefined
  readonly serverName: string | undefined
  listTools(): Promise<readonly { readonly name: string }[]>
  call(call: HostCall): Promise<HostResult>
  close(): Promise<void>
}

export interface HostOptions {
  /** State directory of the tool server. */
  readonly home: string
  readonly asUrl: string
  /** Absent in hosts that cannot open pages. */
  readonly onPage?: OnPage | undefined
}

const serverProcess = ({ home, asUrl }: HostOptions) => ({
  command: process.execPath,
  args: [BIN, 'serve'],
  env: { PATH: process.env['PATH'] ?? '', COUNTERSIGN_HOME: home, COUNTERSIGN_AS_URL: asUrl },
  stderr: 'ignore' as const,
})

const capabilities = ({ onPage }: HostOptions) => ({
  capabilities: onPage === undefined ? {} : { elicitation: { url: {} } },
})

/** The page of a question to the person. */
function pageOf(params: unknown): string {
  const { url } = params as { readonly url?: unknown }
  if (typeof url !== 'string') throw new Error('asked without a page')
  return url
}

function toResult(result: object): HostResult {
  const { isError, content, structuredContent } = result as {
    readonly isError?: boolean
    readonly content: readonly { readonly text?: string }[]
    readonly structuredContent?: Record<string, unknown>
  }
  return { isError: isError === true, texts: content.map(({ text }) => text ?? ''), data: structuredContent ?? {} }
}

const watch = ({ onProgress, signal }: HostCall) => ({
  timeout: 60_000,
  ...(onProgress !== undefined && {
    onprogress: ({ message }: { readonly message?: string | undefined }) => onProgress(message ?? ''),
  }),
  ...(signal !== undefined && { signal }),
})

/** The first version of the SDK, which most hosts are built with. */
export async function startFirstHost(options: HostOptions): Promise<TestHost> {
  const client = new FirstClient({ name: 'first', version: '1' }, capabilities(options))
  if (options.onPage !== undefined) {
    const { onPage } = options
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ action: await onPage(pageOf(params)) }))
  }
  const transport = new FirstTransport(serverProcess(options))
  await client.connect(transport)
  return {
    revision: '2025-11-25',
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools,
    call: async (call) =>
      toResult(await client.callTool({ name: call.name, arguments: call.args }, undefined, watch(call))),
    close: () => client.close(),
  }
}

type Mode = NonNullable<VersionNegotiationOptions['mode']>

/** The second version of the SDK in one of its modes. */
export async function startModernHost(options: HostOptions, mode: Mode): Promise<TestHost> {
  const client = new ModernClient(
    { name: 'modern', version: '1' },
    { ...capabilities(options), versionNegotiation: { mode } },
  )
  if (options.onPage !== undefined) {
    const { onPage } = options
    client.setRequestHandler('elicitation/create', async ({ params }) => ({ action: await onPage(pageOf(params)) }))
  }
  await client.connect(new ModernTransport(serverProcess(options)))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    serverName: client.getServerVersion()?.name,
    listTools: async () => (await client.listTools()).tools,
    call: async (call) => toResult(await client.callTool({ name: call.name, arguments: call.args }, watch(call))),
    close: () => client.close(),
  }
}
