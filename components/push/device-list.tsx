'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { PushDevicesView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { RowList } from '@/components/ui/card'
import { Ago, Moment } from '@/components/ui/moment'
import { RequestFailure } from '@/components/ui/request-failure'
import { readSubscription } from './browser'
import { pushTexts } from './messages'

type Device = PushDevicesView['devices'][number]

interface DeviceListProps {
  readonly devices: readonly Device[]
  /** The id of the device that shows the page; null when it is not in the list. */
  readonly thisId: string | null
}

/** Lists the person's devices that receive messages, with the state of their delivery. */
export function DeviceList({ devices, thisId }: DeviceListProps) {
  const text = useText(pushTexts)
  if (devices.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 id="push-devices" className="font-medium">
        {text.devices}
      </h3>
      <RowList aria-labelledby="push-devices">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} isThis={device.id === thisId} />
        ))}
      </RowList>
    </div>
  )
}

interface DeviceRowProps {
  readonly device: Device
  readonly isThis: boolean
}

function DeviceRow({
  device: { id, device, last_ok_at: lastOkAt, failing_since: failingSince },
  isThis,
}: DeviceRowProps) {
  const text = useText(pushTexts)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const again = { onSettled: () => queries.invalidateQueries() }
  const remove = useMutation(
    trpc.notifications.removeDevice.mutationOptions({
      ...again,
      onSuccess: async () => {
        if (isThis) await (await readSubscription())?.unsubscribe()
      },
    }),
  )
  const test = useMutation(trpc.notifications.testDevice.mutationOptions(again))
  const name = device === null ? text.unknown : text.name(device.browser, device.system)
  const refusal = test.error ?? remove.error
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {name}
          {isThis ? (
            <Badge tone="success" icon={MonitorSmartphone}>
              {text.thisOne}
            </Badge>
          ) : null}
        </p>
        <p className="text-sm text-muted">
          {lastOkAt === null ? text.never : <>{text.lastOk}: </>}
          {lastOkAt === null ? null : <Ago at={lastOkAt} />}
        </p>
        {failingSince === null ? null : (
          <p className="text-sm font-medium text-warning">
            {text.failing} <Moment at={failingSince} />
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="sm"
          aria-label={text.test.of(name)}
          busy={test.isPending}
          onClick={() => test.mutate({ id })}
        >
          {text.test.button}
        </Button>
        <Button
          variant="secondary"
          size="sm"
          aria-label={text.turnOffOf(name)}
          busy={remove.isPending}
          onClick={() => remove.mutate({ id })}
        >
          {text.turnOff}
        </Button>
      </div>
      <p role="status" className="text-sm font-medium empty:hidden">
        {test.isSuccess ? <Outcome {...test.data} /> : null}
      </p>
      {refusal === null ? null : <RequestFailure error={refusal} />}
    </li>
  )
}

interface OutcomeProps {
  readonly outcome: 'accepted' | 'failed' | 'gone'
  readonly at: string
}

function Outcome({ outcome, at }: OutcomeProps) {
  const text = useText(pushTexts).test
  const format = useFormat()
  return outcome === 'accepted' ? text.accepted(format.time(at, 'time')) : text[outcome]
}
