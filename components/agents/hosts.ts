import type { SetupTokenView } from '@/components/lib/api-types'

export interface Host {
  readonly id: string
  /** A name of its own, the same in every language; null for all the others. */
  readonly name: string | null
  /** The file that the snippet goes into; null when it is run. */
  readonly file: string | null
  readonly snippet: string
}

/** How long a purchase may wait for a person, in seconds; hosts with a limit of their own must allow for it. */
const TOOL_TIMEOUT_SECONDS = 960

/** How well-known model hosts are told to start the tool server. */
export function hostsFor([command, ...before]: SetupTokenView['program']): readonly Host[] {
  const args = [...before, 'serve']
  const line = [command, ...args].join(' ')
  const stdio = { command, args }
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  const servers = json({ mcpServers: { countersign: stdio } })
  return [
    { id: 'claude-code', name: 'Claude Code', file: null, snippet: `claude mcp add countersign -- ${line}` },
    { id: 'claude-desktop', name: 'Claude Desktop', file: 'claude_desktop_config.json', snippet: servers },
    { id: 'cursor', name: 'Cursor', file: '.cursor/mcp.json', snippet: servers },
    {
      id: 'vscode',
      name: 'VS Code',
      file: '.vscode/mcp.json',
      snippet: json({ servers: { countersign: { type: 'stdio', ...stdio } } }),
    },
    {
      id: 'codex',
      name: 'Codex CLI',
      file: '~/.codex/config.toml',
      snippet: [
        '[mcp_servers.countersign]',
        `command = ${JSON.stringify(command)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
        `tool_timeout_sec = ${TOOL_TIMEOUT_SECONDS}`,
      ].join('\n'),
    },
    { id: 'other', name: null, file: null, snippet: line },
  ]
}
