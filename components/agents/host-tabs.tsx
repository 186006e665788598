'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { SetupTokenView } from '@/components/lib/api-types'
import { CopyButton } from '@/components/ui/copy-button'
import { Tabs } from '@/components/ui/tabs'
import { type Host, hostsFor } from './hosts'
import { agentsTexts } from './messages'

interface HostTabsProps extends Pick<SetupTokenView, 'program'> {
  /** The host whose tab comes first. */
  readonly first: string | undefined
}

/** Shows, in a tab for each well-known host, how to configure the program that the model runs in. */
export function HostTabs({ program, first: chosen }: HostTabsProps) {
  const text = useText(agentsTexts).handOver
  const [first, ...others] = hostsFor(program, chosen).map((host) => ({
    value: host.id,
    label: host.name ?? text.other,
    content: <Snippet host={host} />,
  }))
  return first === undefined ? null : <Tabs label={text.hosts} items={[first, ...others]} />
}

function Snippet({ host }: { readonly host: Host }) {
  const text = useText(agentsTexts).handOver
  const command = host.name === null ? text.startThis : text.runThis
  return (
    <div className="grid gap-3">
      <p className="text-muted">{host.file === null ? command : text.putThis(host.file)}</p>
      <pre className="whitespace-pre-wrap rounded-control bg-sunken p-4 font-mono text-sm wrap-anywhere">
        <code aria-label={text.snippet} dir="ltr">
          {host.snippet}
        </code>
      </pre>
      <CopyButton value={host.snippet} what={text.snippet} className="w-fit" />
    </div>
  )
}
