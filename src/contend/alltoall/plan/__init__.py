"""What the exchange library shall do: predicted times of its portfolio, and the plan from them."""
