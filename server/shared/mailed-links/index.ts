export { issueLink } from './issue-link'
export {
  consumeLink,
  endLinks,
  eraseMailedLinks,
  findLinkByHash,
  findOpenLink,
  findUndoLink,
  listUndoLinks,
  type MailedLink,
  mailboxOf,
  sweepMailedLinks,
  type UndoLink,
} from './store'
export { readStoredLinks } from './stored-data'
