"""Small nets in ONNX, each with its model card."""
