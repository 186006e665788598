'use client'

import { useEffect } from 'react'

const COUNT = /^\(\d+\+?\) /

/** Shows the number of waiting items before the page's title, also after navigation has set a new one. */
export function TabTitle({ count }: { readonly count: number }) {
  useEffect(() => {
    const apply = () => {
      const bare = document.title.replace(COUNT, '')
      const wanted = count > 0 ? `(${count}) ${bare}` : bare
      if (bare !== '' && document.title !== wanted) document.title = wanted
    }
    apply()
    const observer = new MutationObserver(apply)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [count])
  return null
}
