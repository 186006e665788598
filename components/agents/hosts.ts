import type { SetupTokenView } from '@/components/lib/api-types'
import { shellWord } from '@/server/base/core/shell-word'

export interface HostName {
  readonly id: HostId
  /** The host's own name, the same in every language; null for all other hosts. */
  readonly name: string | null
}

export interface Host extends HostName {
  /** The file that the snippet goes into; null when it is run. */
  readonly file: string | null
  readonly snippet: string
}

type HostId = 'claude-code' | 'claude-desktop' | 'cursor' | 'vscode' | 'codex' | 'other'

/** Programs that models run in. */
export const hostNames: readonly HostName[] = [
  { id: 'claude-code', name: 'Claude Code' },
  { id: 'claude-desktop', name: 'Claude Desktop' },
  { id: 'cursor', name: 'Cursor' },
  { id: 'vscode', name: 'VS Code' },
  { id: 'codex', name: 'Codex' },
  { id: 'other', name: null },
]

/** How long a purchase may wait for the person, in seconds; a host's own timeout must not be shorter. */
const TOOL_TIMEOUT_SECONDS = 960

/**
 * Returns how well-known model hosts are configured to start the tool server; the host with the given id comes first.
 */
export function hostsFor(program: SetupTokenView['program'], first?: string): readonly Host[] {
  const told = toldIn(program)
  const hosts = hostNames.map((host) => ({ ...host, ...told[host.id] }))
  return hosts.toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
}

/** Returns the snippet for each host, and the file that it goes into. */
function toldIn([command, ...before]: SetupTokenView['program']): Readonly<Record<HostId, Omit<Host, keyof HostName>>> {
  const args = [...before, 'serve']
  const line = [command, ...args].map(shellWord).join(' ')
  const stdio = { command, args }
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  const servers = json({ mcpServers: { countersign: stdio } })
  return {
    'claude-code': { file: null, snippet: `claude mcp add countersign -- ${line}` },
    'claude-desktop': { file: 'claude_desktop_config.json', snippet: servers },
    cursor: { file: '.cursor/mcp.json', snippet: servers },
    vscode: { file: '.vscode/mcp.json', snippet: json({ servers: { countersign: { type: 'stdio', ...stdio } } }) },
    codex: {
      file: '~/.codex/config.toml',
      snippet: [
        '[mcp_servers.countersign]',
        `command = ${JSON.stringify(command)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
        `tool_timeout_sec = ${TOOL_TIMEOUT_SECONDS}`,
      ].join('\n'),
    },
    other: { file: null, snippet: line },
  }
}
