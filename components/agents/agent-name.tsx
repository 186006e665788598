import { plainName } from '@/components/lib/plain-text'

/** A name that ends with the tail of the agent's key. */
const WITH_TAIL = /^(.*)( …[\w-]{4})$/s

/** Shows an agent's name on one line. A long name is cut, but never the tail of the agent's key. */
export function AgentName({ label }: { readonly label: string }) {
  const name = plainName(label)
  const [, start = name, tail = ''] = WITH_TAIL.exec(name) ?? []
  return (
    <bdi className="flex min-w-0 whitespace-pre tight:flex-wrap">
      <span className="one-line">{start}</span>
      {tail === '' ? null : <span className="shrink-0">{tail}</span>}
    </bdi>
  )
}
