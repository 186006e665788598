import { plainName, splitTail } from '@/components/lib/plain-text'

/** Shows an agent's name on one line. A long name is cut, but never the tail of the agent's key. */
export function AgentName({ label }: { readonly label: string }) {
  const { start, tail } = splitTail(plainName(label))
  return (
    <bdi className="flex min-w-0 whitespace-pre tight:flex-wrap">
      <span className="one-line">{start}</span>
      {tail === null ? null : <span className="shrink-0"> {tail}</span>}
    </bdi>
  )
}
