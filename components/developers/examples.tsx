'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { DevelopersView } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { developersTexts } from './messages'

export function Examples({ view }: { readonly view: DevelopersView }) {
  const text = useText(developersTexts).examples
  const [merchant] = view.sandbox?.merchants ?? []
  const commands = [
    { name: text.metadata, command: `curl -s ${view.base_url}/.well-known/oauth-authorization-server` },
    ...(merchant === undefined
      ? []
      : [
          { name: text.merchants, command: `curl -s '${view.base_url}/discovery/merchants?currency=EUR'` },
          { name: text.catalog, command: `curl -si ${merchant.catalog_url}` },
        ]),
  ]
  return (
    <Section id="examples" title={text.title} description={text.body}>
      <Card className="grid gap-5">
        {commands.map(({ name, command }) => (
          <div key={name} className="grid justify-items-start gap-2">
            <p className="font-medium">{name}</p>
            <code className="w-full break-all rounded-control bg-sunken p-3 font-mono text-sm">{command}</code>
            <CopyButton value={command} what={`${text.copy}: ${name}`} />
          </div>
        ))}
      </Card>
    </Section>
  )
}
