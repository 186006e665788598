'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { DevelopersView } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { Fact, Facts } from '@/components/ui/facts'
import { CopyRow } from './copy-row'
import { Examples } from './examples'
import { developersTexts } from './messages'
import { SandboxTrials } from './sandbox-trials'

/** Shows the values that do not change while the page is open. */
export function Addresses({ view }: { readonly view: DevelopersView }) {
  const text = useText(developersTexts)
  return (
    <>
      <Section id="addresses" title={text.addresses}>
        <Card>
          <Facts>
            <Fact name={text.baseUrl}>
              <CopyRow value={view.base_url} what={text.baseUrl} />
            </Fact>
            <Fact name={text.issuer}>
              <CopyRow value={view.issuer} what={text.issuer} />
            </Fact>
            {view.endpoints.map(({ name, url }) => (
              <Fact key={name} name={text.endpoints[name]}>
                <CopyRow value={url} what={text.endpoints[name]} href={url} />
              </Fact>
            ))}
          </Facts>
        </Card>
      </Section>
      <Examples view={view} />
      <SandboxTrials sandbox={view.sandbox} />
    </>
  )
}
