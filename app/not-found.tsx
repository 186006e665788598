import { BareShell } from '@/components/layout/bare-shell'
import { NothingHere } from '@/components/layout/nothing-here'

export default function NotFound() {
  return (
    <BareShell>
      <NothingHere />
    </BareShell>
  )
}
