'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortalClient, useTRPC } from '@/components/api/client'
import { useLocale, useText } from '@/components/i18n/locale-provider'
import type { PushDevicesView } from '@/components/lib/api-types'
import { useHydrated } from '@/components/lib/use-hydrated'
import { Card, Section } from '@/components/ui/card'
import { Choice } from '@/components/ui/choice'
import { RequestFailure } from '@/components/ui/request-failure'
import { readPushSupport } from './browser'
import { DeviceList } from './device-list'
import { handIn } from './hand-in'
import { pushTexts } from './messages'
import { TurnOn } from './turn-on'

/** Shows whether messages are on for this device, and lists the person's other devices. */
export function PushSection({ devices: view }: { readonly devices: PushDevicesView }) {
  const text = useText(pushTexts)
  const client = usePortalClient()
  const locale = useLocale()
  const hydrated = useHydrated()
  const support = hydrated ? readPushSupport() : 'supported'
  const { data: kept } = useQuery({
    queryKey: ['this-device', locale],
    queryFn: () => handIn(client, locale),
    enabled: hydrated && support === 'supported',
  })
  const thisId = kept?.id ?? null
  const isOn = view.devices.some(({ id }) => id === thisId)
  return (
    <Section id="this-device" title={text.title}>
      <Card className="grid gap-5">
        {support === 'install_first' ? (
          <InstallFirst />
        ) : (
          <p>
            <span className="font-medium">{isOn ? text.on : text.off}</span>{' '}
            <span className="text-muted">
              {support === 'supported' ? text.states[isOn ? 'on' : 'off'] : text.states.unsupported}
            </span>
          </p>
        )}
        {support === 'supported' && !isOn ? <TurnOn serverKey={view.server_key} /> : null}
        <DeviceList devices={view.devices} thisId={thisId} />
        <HideDetails hides={view.hides_details} />
      </Card>
    </Section>
  )
}

function InstallFirst() {
  const { title, share, add, open } = useText(pushTexts).install
  return (
    <div className="grid gap-1">
      <p className="font-medium">{title}</p>
      <ol className="list-decimal ps-5 text-muted">
        {[share, add, open].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  )
}

function HideDetails({ hides }: { readonly hides: boolean }) {
  const text = useText(pushTexts).hide
  const trpc = useTRPC()
  const queries = useQueryClient()
  const save = useMutation(
    trpc.notifications.hideDetails.mutationOptions({ onSettled: () => queries.invalidateQueries() }),
  )
  return (
    <div className="grid gap-3">
      <Choice
        id="hide-details"
        kind="checkbox"
        label={text.label}
        hint={text.hint}
        checked={save.isPending ? save.variables.hides : hides}
        onChange={(event) => save.mutate({ hides: event.target.checked })}
      />
      {save.isError ? <RequestFailure error={save.error} /> : null}
    </div>
  )
}
