import { BadgeCheck, CircleHelp } from 'lucide-react'
import type { ConsentView } from '@/components/lib/api-types'
import { readOrigin } from '@/components/lib/origin'
import { plainHost, plainName } from '@/components/lib/plain-text'
import { Badge } from '@/components/ui/badge'
import { Notice } from '@/components/ui/notice'
import type { Words } from './words'

interface PayeeProps {
  readonly name: string | null | undefined
  readonly audience: string
  readonly verified: boolean
  /** The shop whose address this one resembles. */
  readonly resembles: ConsentView['resembles']
  readonly text: Words['text']
}

/** Shows the payee: the name, whether it is verified, and the address in a form that cannot imitate another. */
export function Payee({ name, audience, verified, resembles, text }: PayeeProps) {
  const origin = readOrigin(audience)
  const shown = name === null || name === undefined ? plainHost(origin.host) : plainName(name)
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="grid grid-cols-1 gap-1.5">
        <p className="text-xl font-medium tracking-tight">
          <span className="text-muted">{text.payTo}</span> <bdi>{shown}</bdi>
        </p>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Badge icon={verified ? BadgeCheck : CircleHelp} tone={verified ? 'success' : 'warning'} wraps>
            {verified ? text.verified : text.unverified}
          </Badge>
          <code className="min-w-0 break-all font-mono text-sm">
            {origin.text}
            <span className="text-muted">{origin.path}</span>
          </code>
        </p>
      </div>
      {resembles === null ? null : (
        <Notice tone="danger" title={text.resembles.title(plainName(resembles.name), resembles.origin)}>
          {text.resembles.body}
        </Notice>
      )}
      {verified ? null : <p className="text-sm text-muted">{text.unverifiedHint}</p>}
      {origin.punycode ? <Notice tone="danger">{text.punycode(origin.host)}</Notice> : null}
    </div>
  )
}
