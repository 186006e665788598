export interface EnrolmentView {
  readonly way: 'test_cards' | 'elements' | 'none'
}
